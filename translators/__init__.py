"""Translators: per dialect a function table and a lift/lower pair; the rules between them and the type catalogue."""
