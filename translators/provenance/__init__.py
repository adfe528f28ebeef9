"""What a document was made from: kept in it, restored from it, and its comments and edits put back."""
