/** Every endpoint that the stand-in has. */
import { bulkRoutes, type RefuseItem } from "./bulk-api.js";
import { CONNECTOR_ROUTES } from "./connector-api.js";
import { DOCUMENT_ROUTES } from "./document-api.js";
import { INDEX_ROUTES } from "./index-api.js";
import type { Route } from "./router.js";
import { SEARCH_ROUTES } from "./search-api.js";
import { SYSTEM_ROUTES } from "./system-api.js";

/** `refuse` decides which operations of bulk requests are not done. */
export function allRoutes(refuse: RefuseItem): readonly Route[] {
  return [
    ...SYSTEM_ROUTES,
    ...INDEX_ROUTES,
    ...DOCUMENT_ROUTES,
    ...bulkRoutes(refuse),
    ...SEARCH_ROUTES,
    ...CONNECTOR_ROUTES,
  ];
}
