"""The workbench of a claim: records, files, notes and the checklist, with their forms."""
