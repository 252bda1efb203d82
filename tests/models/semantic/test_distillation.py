import math

import numpy as np
import pytest
import torch

from models.semantic.distil.distillation import ALPHA, TEMPERATURE, Course, Lessons, distil, distil_loss, salience_loss


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def circle(*degrees):
    return torch.tensor([[math.cos(math.radians(x)), math.sin(math.radians(x))] for x in degrees])


def test_distil_loss_by_hand():
    """Three vectors on a circle: each has two others, so each distribution is one logistic number."""
    teacher, student = (0, 10, 25), (0, 14, 20)

    def others(angles, i):
        scores = {j: math.cos(math.radians(angles[i] - angles[j])) / TEMPERATURE for j in range(3) if j != i}
        total = sum(math.exp(score) for score in scores.values())
        return {j: math.exp(score) / total for j, score in scores.items()}

    divergence = 0.0
    for i in range(3):
        target, found = others(teacher, i), others(student, i)
        divergence += sum(target[j] * math.log(target[j] / found[j]) for j in target) / 3
    squared = sum(2 - 2 * math.cos(math.radians(t - s)) for t, s in zip(teacher, student, strict=True)) / 3
    assert divergence > 0.05
    assert float(distil_loss(circle(*student), circle(*teacher))) == pytest.approx(
        divergence + ALPHA * squared, rel=1e-4
    )


def test_distil_loss_is_zero_only_for_the_teachers_vectors():
    teacher = circle(0, 40, 100, 200)
    assert float(distil_loss(teacher, teacher)) == pytest.approx(0, abs=1e-6)
    turned = circle(30, 70, 130, 230)  # same similarities, so all that is left is the distance
    expected = ALPHA * (2 - 2 * math.cos(math.radians(30)))
    assert float(distil_loss(turned, teacher)) == pytest.approx(expected, rel=1e-4)


def test_salience_loss_by_hand():
    """Two passages: (3/4, 1/4) against even shares, and one word, which has no choice."""
    attention = torch.tensor([0.5, 0.5, 1.0]).log()
    found = salience_loss(attention, torch.tensor([0.75, 0.25, 1.0]), passages=2)
    assert float(found) == pytest.approx((0.75 * math.log(1.5) + 0.25 * math.log(0.5)) / 2, abs=1e-6)


def lessons(passages: int = 400, words: int = 40, width: int = 16, dimensions: int = 12) -> Lessons:
    """A teacher that reads the first half of its vocabulary only."""
    random = np.random.default_rng(5)
    size = random.integers(2, 9, passages)
    pointers = np.concatenate([[0], np.cumsum(size)])
    rows = random.integers(0, words, pointers[-1]).astype(np.int32)
    attention = np.where(rows < words // 2, 1.0, 0.05).astype(np.float32)
    meaning = random.standard_normal((words, dimensions))
    vector = np.add.reduceat(meaning[rows] * attention[:, None], pointers[:-1])
    unit = (vector / np.linalg.norm(vector, axis=1, keepdims=True)).astype(np.float16)
    mean = np.add.reduceat(attention, pointers[:-1]) / size
    return Lessons(rows, pointers, unit, attention / np.repeat(mean, size).astype(np.float32))


def learn(seed: int, epochs: int = 20):
    random = np.random.default_rng(6)
    table = random.standard_normal((44, 16), np.float32)
    course = Course(epochs=epochs, batch=16, rate=1e-2, hidden=8, seed=seed)
    seen = []
    found = distil(lessons(), table, np.zeros(44, np.float32), np.eye(16, 12, dtype=np.float32), course, seen.append)
    assert seen == [16] * 25 * epochs
    return found


@pytest.mark.slow
def test_learning_follows_the_teacher():
    learned, history = learn(seed=1)
    first, last = np.mean(history[:5], axis=0), np.mean(history[-5:], axis=0)
    assert last[0] < 0.3 * first[0]
    assert last[1] < 0.5 * first[1]
    salience = learned["salience"]
    assert salience[:20].mean() > salience[20:40].mean() + 0.3


def test_words_that_never_occur_stay_as_they_were():
    learned, _ = learn(seed=1, epochs=2)
    table = np.random.default_rng(6).standard_normal((44, 16), np.float32)
    assert np.array_equal(learned["table"][40:], table[40:])
    assert not np.array_equal(learned["table"][:40], table[:40])


def test_one_seed_gives_one_student():
    (first, _), (second, _), (other, _) = (learn(seed, epochs=2) for seed in (3, 3, 4))
    assert all(first[name].tobytes() == second[name].tobytes() for name in first)
    assert not np.array_equal(first["table"], other["table"])
