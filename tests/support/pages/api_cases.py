"""Operations of the API's schema as schemathesis makes cases of them, and how a case is sent."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import urlencode

import requests
import schemathesis
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient
from schemathesis.core.transport import Response
from schemathesis.specs.openapi import checks
from schemathesis.transport.wsgi import WSGI_TRANSPORT

SEED = int(os.environ.get("API_SEED", "1"))
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


def all_operations() -> list[Any]:
    document = SchemaGenerator().get_schema(request=None, public=True)
    schema = schemathesis.openapi.from_dict(document)
    # PostgreSQL holds no NUL; who logs in is the test's business.
    schema.config.generation.update(allow_x00=False, with_security_parameters=False)
    results: Any = schema.get_all_operations()
    return [each.ok() for each in results]


def call(client: APIClient, case: Any) -> Response:
    """The answer of Django's test client, which leaves the test's transaction alone."""
    case_request = WSGI_TRANSPORT.serialize_case(case)
    body = (
        json.dumps(case_request["json"])
        if "json" in case_request
        else case_request.get("data", b"")
    )
    media = case_request["headers"].pop("Content-Type", "application/json")
    query = urlencode(case_request["query_string"] or {}, doseq=True)
    answer = client.generic(
        case_request["method"],
        case_request["path"],
        body,
        content_type=media,
        QUERY_STRING=query,
        headers=case_request["headers"],
    )
    request = requests.Request(
        case_request["method"],
        f"http://localhost{case_request['path']}?{query}",
        case_request["headers"],
        data=body,
    )
    return Response(
        status_code=answer.status_code,
        headers={name.lower(): [value] for name, value in answer.items()},
        content=answer.content,
        request=request.prepare(),
        elapsed=0.0,
        verify=False,
    )
