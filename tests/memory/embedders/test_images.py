"""Pictures on a model that averages colours, built here."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from memory.embedders import FakeDenseEmbedder, FakeImageEmbedder, FastEmbedImages
from memory.embedders.images import decoded
from memory.errors import InvalidInputError, ModelError
from tests.memory.tiny_onnx import tiny_image_model

MODEL = "Qdrant/clip-ViT-B-32-vision"


def picture(colour, kind="PNG", size=(12, 8)):
    data = io.BytesIO()
    Image.new("RGB", size, colour).save(data, kind)
    return data.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_image_model(tmp_path_factory.mktemp("images"))


@pytest.mark.specification("003 REQ-0044 images", "003 §8 models")
async def test_png_jpeg_and_webp_become_unit_vectors(folder):
    model = FastEmbedImages(MODEL, dimension=3, folder=folder)
    await model.warm_up()
    vectors = await model.embed_images([picture("red"), picture((255, 255, 0), "JPEG"), picture("blue", "WEBP")])
    assert vectors.dtype == np.float32
    half = 1 / 2**0.5  # red and green are (1, 1, 0), whose length is the root of 2
    assert vectors == pytest.approx(np.array([[1, 0, 0], [half, half, 0], [0, 0, 1]]), abs=0.02)


async def test_no_pictures_no_vectors(folder):
    assert (await FastEmbedImages(MODEL, dimension=3, folder=folder).embed_images([])).shape == (0, 3)


async def test_a_model_of_another_size_than_the_settings_say(folder):
    model = FastEmbedImages(MODEL, dimension=512, folder=folder)
    with pytest.raises(
        ModelError, match=r"vectors of 3 numbers; the settings say 512. Set vector.image_dimension to 3"
    ):
        await model.embed_images([picture("red")])


async def test_a_model_that_cannot_be_loaded_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match=r"nobody/nothing.*image_model_path"):
        await FastEmbedImages("nobody/nothing", dimension=3, cache=tmp_path).warm_up()


def test_the_cache_key_tells_models_apart(folder, tmp_path):
    keys = {FastEmbedImages(MODEL, dimension=3, folder=one).cache_key for one in (folder, tmp_path, None)}
    assert len(keys) == 2  # an empty folder holds no more than none


@pytest.mark.parametrize("data", [b"", b"no picture", picture("red")[:40], b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"])
def test_what_is_no_whole_picture_is_refused(data):
    with pytest.raises(InvalidInputError, match="can't be read"):
        decoded(data)


@pytest.mark.parametrize("size", [(10_001, 5_000), (20_000, 20_000)])
def test_a_picture_that_would_fill_the_memory_is_refused(size):
    data = bytearray(picture("red"))
    data[16:24] = struct.pack(">II", *size)  # what its header says, and the header's check sum
    data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
    with pytest.raises(InvalidInputError, match=r"pixels|can't be read"):
        decoded(bytes(data))


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "1"])
def test_other_modes_are_read_as_rgb(mode):
    data = io.BytesIO()
    Image.new(mode, (3, 3)).save(data, "PNG")
    assert decoded(data.getvalue()).mode == "RGB"


async def test_the_fake_puts_a_colour_where_its_name_is():
    images, texts = FakeImageEmbedder(), FakeDenseEmbedder()
    red, blue = await images.embed_images([picture((250, 10, 5)), picture("blue")])
    [asked] = await texts.embed_queries(["red"])
    await images.warm_up()
    assert asked @ red == pytest.approx(1.0)
    assert abs(float(asked @ blue)) < 0.5
    assert (images.images, images.cache_key) == (2, "fake-colours:64")
