"""What the HTTP interface answers, without HTTP: the server's routes and the browser's worker ask here."""
