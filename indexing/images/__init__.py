"""Pictures of a project: read, found in documents that show them, and put into the vector store (003 scenario 3)."""

from __future__ import annotations

from indexing.images.reading import Shown, is_picture, read_picture, shown_pictures
from indexing.images.writing import PictureModels, PictureWriter, picture_chunks

__all__ = ["PictureModels", "PictureWriter", "Shown", "is_picture", "picture_chunks", "read_picture", "shown_pictures"]
