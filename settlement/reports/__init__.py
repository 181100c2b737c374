"""Reports of the compliance office: on screen, as files, at the close of a day. Selectors, but for
the exports, which the worker writes into files."""
