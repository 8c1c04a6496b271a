@pytest.mark.specification("003 REQ-0049 graphrag")
@pytest.mark.parametrize("least", [None, "x", float("nan"), True])
def test_a_least_confidence_that_is_no_number_is_refused(least):
    with pytest.raises(InvalidInputError, match="graphrag_min_confidence is"):
        HybridRetriever(graphrag_min_confidence=least)
