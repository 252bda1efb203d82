"""The paper's table on a labelled corpus: what is compared, what it costs, and how it is shown."""
