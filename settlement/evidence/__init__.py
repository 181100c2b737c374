"""What a verification rests on: checklist, deck, attachments, identification, assessment."""
