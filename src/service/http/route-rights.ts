import type { FastifyRequest } from "fastify";
import { DESK_PATH, PAGE_PATH } from "../../contract/page.ts";
import { CALLED_ROUTES, type Route, SERVED_ROUTES } from "../../contract/routes.ts";
import { RequestError } from "../request-error.ts";
import { STORAGE_PATH } from "../storage/disk-object-store.ts";
import type { ReviewGrant, Role } from "../storage/key-records.ts";
import type { Caller } from "./authenticate.ts";

// Who may send which request: the one place that says so. A route that stands in no row keeps the service from starting.

/** What of one film a request is about. */
type About = (request: FastifyRequest) => (review: ReviewGrant) => boolean;

/** Who may send a request: everybody, without a key; or holders of keys, each by what they are. */
export interface RouteRight {
  readonly roles: "everybody" | readonly Role[];
  /** Whether a request is about the film of a review. Stated wherever a reviewer is among the roles. */
  readonly about?: About;
}

const EVERYBODY: RouteRight = { roles: "everybody" };

/** Programs of a team, and its administrators. */
const TEAM: RouteRight = { roles: ["program", "administrator"] };

/** Whoever runs the service. */
const ADMINISTRATOR: RouteRight = { roles: ["administrator"] };

const MONITOR: RouteRight = { roles: ["administrator", "monitor"] };

const withReviewer = ({ roles }: RouteRight, about: About): RouteRight => ({
  roles: roles === "everybody" ? roles : [...roles, "reviewer"],
  about,
});

const paramOf = (request: FastifyRequest, name: string) =>
  String((request.params as Readonly<Record<string, unknown>>)[name] ?? "");

const jobNamed =
  (name: string): About =>
  (request) =>
  ({ jobIds }) =>
    jobIds.includes(paramOf(request, name).toLowerCase());

const jobAsked: About = (request) => {
  const asked = (request.query as Readonly<Record<string, unknown>>)["job_id"];
  return ({ jobIds }) => typeof asked === "string" && jobIds.includes(asked.toLowerCase());
};

const mediaNamed: About =
  (request) =>
  ({ mediaId }) =>
    paramOf(request, "id").toLowerCase() === mediaId;

/** A line of words is about no film: it is voiced, and nothing is kept under its name. */
const anyLine: About = () => () => true;

/** The page's list of texts is cut to the film's where it is made. */
const ownTexts: About = () => () => true;

const textNamed: About = (request) => (review) => isOfReview(review, paramOf(request, "*"));

/** The record of a run under way goes when it is over; a result stays. */
const runNamed: About = (request) => (review) =>
  isOfReview(review, paramOf(request, "*")) && paramOf(request, "*").startsWith("kept/runs/");

/** Whether a text of the page belongs to the film of a review: its result, its entry, its run. */
export function isOfReview({ runId }: ReviewGrant, path: string): boolean {
  const [kept, folder, name = "", ...more] = path.split("/");
  return (
    kept === "kept" && (folder === "results" || folder === "runs") && more.length === 0 && name.startsWith(`${runId}.`)
  );
}

const nameOf = ({ method, path }: Route) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`;

/** Every route of the service by its method and address, with who may use it. */
export const ROUTE_RIGHTS: Readonly<Record<string, RouteRight>> = {
  // For whoever runs the service, and whoever writes a client.
  "GET /healthz": EVERYBODY,
  "GET /readyz": EVERYBODY,
  "GET /openapi.json": EVERYBODY,
  "GET /docs": EVERYBODY,
  "GET /metrics": MONITOR,
  // Storage: by signed links.
  [`PUT ${STORAGE_PATH}/*`]: EVERYBODY,
  [`GET ${STORAGE_PATH}/*`]: EVERYBODY,
  // The page itself, and the ways to a key.
  [`GET ${PAGE_PATH}`]: EVERYBODY,
  [`GET ${PAGE_PATH}/files/:name`]: EVERYBODY,
  [`POST ${PAGE_PATH}/log-in`]: EVERYBODY,
  [nameOf(CALLED_ROUTES.pair)]: EVERYBODY,
  // The interface.
  [nameOf(SERVED_ROUTES.uploadMedia)]: TEAM,
  [nameOf(SERVED_ROUTES.notifyUploadComplete)]: TEAM,
  [nameOf(SERVED_ROUTES.getUploadStatus)]: TEAM,
  [nameOf(SERVED_ROUTES.uploadFromUrl)]: TEAM,
  [nameOf(SERVED_ROUTES.generateVideo)]: TEAM,
  [nameOf(SERVED_ROUTES.generateAudio)]: TEAM,
  [nameOf(SERVED_ROUTES.generateText)]: TEAM,
  [nameOf(SERVED_ROUTES.generateTextFromUrl)]: TEAM,
  [nameOf(SERVED_ROUTES.generateVideoFromUrl)]: TEAM,
  [nameOf(SERVED_ROUTES.getResults)]: withReviewer(TEAM, jobAsked),
  [nameOf(SERVED_ROUTES.deleteJob)]: TEAM,
  [nameOf(SERVED_ROUTES.cancelJob)]: TEAM,
  [nameOf(SERVED_ROUTES.getListening)]: TEAM,
  [nameOf(SERVED_ROUTES.listen)]: TEAM,
  [nameOf(SERVED_ROUTES.getTextReading)]: TEAM,
  [nameOf(SERVED_ROUTES.readText)]: TEAM,
  [nameOf(SERVED_ROUTES.dropSound)]: TEAM,
  [nameOf(SERVED_ROUTES.getLineVoicing)]: withReviewer(TEAM, anyLine),
  [nameOf(SERVED_ROUTES.voiceLine)]: withReviewer(TEAM, anyLine),
  [nameOf(SERVED_ROUTES.moments)]: withReviewer(TEAM, jobNamed("job_id")),
  // Paid for: a reviewer asks for none.
  [nameOf(SERVED_ROUTES.getWordingOffer)]: TEAM,
  [nameOf(SERVED_ROUTES.wordings)]: TEAM,
  [nameOf(SERVED_ROUTES.deleteMedia)]: TEAM,
  // Settings: what programs may see of them, and that administrators alone change them, is said by their own handlers too.
  [nameOf(SERVED_ROUTES.getSettings)]: TEAM,
  [nameOf(SERVED_ROUTES.changeSettings)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.beginSettingsAnew)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.getSettingChoices)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.testSettings)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.getEstimate)]: TEAM,
  [nameOf(SERVED_ROUTES.getModels)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.fetchModel)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.cancelFetch)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.removeModel)]: ADMINISTRATOR,
  [nameOf(SERVED_ROUTES.checkModel)]: ADMINISTRATOR,
  // The page's desk.
  [`POST ${DESK_PATH}/links`]: ADMINISTRATOR,
  [`POST ${DESK_PATH}/pairing-codes`]: ADMINISTRATOR,
  [`GET ${DESK_PATH}/state`]: ADMINISTRATOR,
  [`POST ${DESK_PATH}/keys`]: ADMINISTRATOR,
  [`DELETE ${DESK_PATH}/keys/:id`]: ADMINISTRATOR,
  [`GET ${DESK_PATH}/log`]: ADMINISTRATOR,
  [`POST ${DESK_PATH}/examine`]: ADMINISTRATOR,
  [`POST ${DESK_PATH}/backup`]: ADMINISTRATOR,
  [`GET ${DESK_PATH}/jobs`]: ADMINISTRATOR,
  [`GET ${DESK_PATH}/jobs/:id/order`]: withReviewer(ADMINISTRATOR, jobNamed("id")),
  [`GET ${DESK_PATH}/media/:id`]: withReviewer(ADMINISTRATOR, mediaNamed),
  [`GET ${DESK_PATH}/texts`]: withReviewer(ADMINISTRATOR, ownTexts),
  [`GET ${DESK_PATH}/texts/*`]: withReviewer(ADMINISTRATOR, textNamed),
  [`PUT ${DESK_PATH}/texts/*`]: withReviewer(ADMINISTRATOR, textNamed),
  [`DELETE ${DESK_PATH}/texts/*`]: withReviewer(ADMINISTRATOR, runNamed),
};

/**
 * Who may use a route; HEAD is used by whoever may use GET.
 *
 * @throws Error for a route of which nobody said so.
 */
export function requiredRight(method: string, url: string): RouteRight {
  const right = ROUTE_RIGHTS[`${method === "HEAD" ? "GET" : method} ${url}`];
  if (right === undefined) throw new Error(`nobody says who may use ${method} ${url}: see route-rights.ts`);
  return right;
}

/**
 * Holds a request against what its sender may.
 *
 * @throws RequestError `feature_not_available` for what the sender may never ask, `not_found` for another film than theirs,
 *   which is answered as if it did not exist.
 */
export function requireRight({ roles, about }: RouteRight, request: FastifyRequest, { role, review }: Caller): void {
  if (roles !== "everybody" && !roles.includes(role))
    throw new RequestError("feature_not_available", refusalOf(role, roles));
  if (role !== "reviewer") return;
  if (review === undefined || about === undefined || !about(request)(review)) {
    throw new RequestError("not_found", "This link is for reviewing one film, and this is not part of it.");
  }
}

function refusalOf(role: Role, roles: readonly Role[]): string {
  if (role === "reviewer") {
    return "This link is for reviewing one film: hearing it, changing its descriptions, accepting them and signing off. It opens nothing else.";
  }
  if (role === "monitor") return "This key reads /metrics, and nothing else.";
  if (roles.includes("monitor")) {
    return "This key may not read /metrics. Make one that does: aside keys create --metrics";
  }
  return "This is for administrators of the service. Make a key for one: aside keys create --administrator";
}
