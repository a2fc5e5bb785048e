"""Word vectors in a few bytes."""

import zlib

import numpy as np

from search.engine.annotation.training.build_word_vectors import read_vectors
from search.engine.annotation.word_vectors import N_CENTRES, WordVectors, quantize


def hashes(*words):
    return np.array([zlib.crc32(word.encode()) for word in words], dtype=np.uint32)


def test_few_vectors_come_back_as_they_were():
    random = np.random.default_rng(3)
    words = ["rain", "sun", "0000"]
    vectors = random.normal(size=(3, 10)).astype(np.float16).astype(np.float32)

    table = quantize(dict(zip(hashes(*words).tolist(), vectors, strict=True)))

    assert table.n_dimensions == 10
    assert np.array_equal(table.look_up(hashes(*words)), vectors)
    assert np.array_equal(table.look_up(hashes("moon")), np.zeros((1, 10)))


def test_many_vectors_come_back_alike():
    random = np.random.default_rng(3)
    vectors = random.normal(size=(4 * N_CENTRES, 10)).astype(np.float32)

    table = quantize(dict(enumerate(vectors)))

    lost = ((table.look_up(table.keys) - vectors) ** 2).sum()
    assert table.codes.dtype == np.uint8
    assert lost < 0.2 * (vectors**2).sum()


def test_no_table_gives_vectors_without_numbers():
    assert WordVectors.none().look_up(hashes("rain", "sun")).shape == (2, 0)


def test_the_most_frequent_of_forms_that_fold_alike_counts():
    lines = ["1990 1 2\n", "rain 3 4\n", "1991 5 6\n", "sun 7 8\n"]

    found = read_vectors(lines, n_words=2)

    expected = dict(zip(hashes("0000", "rain").tolist(), [[1, 2], [3, 4]], strict=True))
    assert {key: vector.tolist() for key, vector in found.items()} == expected


def test_the_shipped_table_knows_words_of_the_country():
    table = WordVectors.load()

    found = table.look_up(hashes("johannesburg", "rugby", "zwibzwib"))
    assert np.abs(found).sum(axis=1).astype(bool).tolist() == [True, True, False]
