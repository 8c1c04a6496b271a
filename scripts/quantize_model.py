"""Writes an ONNX model with weights of eight bits: that of `weights/` of its authors' file.

python scripts/quantize_model.py model.onnx OUT.onnx        (needs the packages onnx and onnxruntime)

Each column of a matrix has a scale of its own. The weights take seven of the eight bits: sums of two products then fit
into sixteen bits, so that processors without VNNI get the same numbers as those with it.
Source: https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
"""

from __future__ import annotations

import sys

from onnxruntime.quantization import QuantType, quantize_dynamic

if __name__ == "__main__":
    quantize_dynamic(
        sys.argv[1],
        sys.argv[2],
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        extra_options={"MatMulConstBOnly": True},
    )
