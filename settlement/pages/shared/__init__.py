"""What all pages use: decorators, forms, fields, filters, exports."""
