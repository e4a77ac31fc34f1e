"""The hash-chained log of a championship: entries, file, audit, erasing, export."""
