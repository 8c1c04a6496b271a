"""What a caller of the HTTP interface sees when something breaks."""

import logging

from payments.gateway import CardDeclined
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from orders.adapter import PaymentUnavailable

logger = logging.getLogger(__name__)


async def payment_errors(request: Request, call_next) -> Response:
    """Translate what the caller can act on; log everything else and raise it again for the server to deal with."""
    try:
        return await call_next(request)
    except CardDeclined:
        return JSONResponse({"error": "card_declined"}, status_code=402)
    except PaymentUnavailable as error:
        logger.error("payment unavailable on %s", request.url.path, exc_info=error)
        return JSONResponse({"error": "try_again"}, status_code=503, headers={"Retry-After": "10"})
    except Exception as error:
        logger.exception("unhandled error on %s", request.url.path, exc_info=error)
        raise
