"""A tool with a schema of its author's own, written in 2020-12 words that an SDK makes from no type hint."""

from typing import Any, Literal

from pydantic import BaseModel

from McpLibrary.demo.hints import READS
from McpLibrary.demo.manners import MannerlyServer
from McpLibrary.demo.state import euros

CENTS = {"small": 390, "large": 790}
INSURANCE = 150

PARCEL_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"size": {"$anchor": "size", "type": "string", "enum": ["small", "large"], "description": "Size of the box"}},
    "properties": {
        "parcel": {
            "type": "object",
            "description": "What to send; a large parcel says whether it is insured",
            "properties": {"size": {"$ref": "#size"}, "insured": {"type": "boolean", "description": "Whether it is insured"}},
            "required": ["size"],
            "allOf": [{"if": {"properties": {"size": {"const": "large"}}}, "then": {"required": ["insured"]}}],
            "additionalProperties": False,
        }
    },
    "required": ["parcel"],
    "additionalProperties": False,
}  # fmt: skip


class Parcel(BaseModel):
    """What to send."""

    size: Literal["small", "large"]
    insured: bool = False


def add_parcel_tool(server: MannerlyServer) -> None:
    @server.tool(annotations=READS)
    async def parcel_price(parcel: Parcel) -> str:
        """Say what it costs to send a parcel."""
        return euros(CENTS[parcel.size] + INSURANCE * parcel.insured)

    server.own_schemas["parcel_price"] = PARCEL_SCHEMA
