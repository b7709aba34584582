"""What OWSLib, a stock client, reads of an EDR service: printed as JSON. Arguments: address of the landing page, key, query
of a position."""

import json
import sys

from owslib.ogcapi.features import Features
from owslib.util import Authentication

url, key, position = sys.argv[1:]
edr = Features(url, auth=Authentication(username="any", password=key))
[storms] = edr.feature_collections()
items = edr.collection_items(storms)
west, south = (x - 1 for x in items["features"][0]["geometry"]["coordinates"])
print(
    json.dumps(
        {
            "openapi": edr.api()["openapi"],
            "conformance": edr.conformance()["conformsTo"],
            "collections": [each["id"] for each in edr.collections()["collections"]],
            "forecast": edr.collection("forecast"),
            # This version of OWSLib has no class for queries of EDR, so the path is ours.
            "late": edr._request(path="collections/forecast.demo-late/position", kwargs=json.loads(position)),
            "storms": storms,
            "items": items,
            "one": edr.collection_items(storms, limit=1),
            "near": edr.collection_items(storms, bbox=[west, south, west + 2, south + 2]),
            "first": edr.collection_item(storms, items["features"][0]["id"]),
        }
    )
)
