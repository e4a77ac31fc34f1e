"""What each page of a championship shows: desk, table, person, public, static site."""
