"""What a page says of itself to other sites, and the offline app as a site of plain files."""
