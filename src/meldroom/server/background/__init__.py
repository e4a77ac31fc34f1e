"""What a server gets ready while it already serves: compiled kernels, the offline engine, PDFs."""
