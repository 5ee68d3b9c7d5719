import { PAGE_PATH } from "./page.ts";

/** Version of the interface description this contract follows. */
export const INTERFACE_VERSION = "1.0.0";

/** Every path of the interface begins with this. */
export const PATH_PREFIX = "/enterprise/api";

/** One endpoint: its HTTP method and its path below the base URL; `{name}` marks a path parameter. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
}

/** Every endpoint of the interface, by the name its own documentation gives it. */
export const ROUTES = {
  uploadMedia: { method: "POST", path: `${PATH_PREFIX}/upload_media` },
  notifyUploadComplete: { method: "POST", path: `${PATH_PREFIX}/notify_upload_complete` },
  getUploadStatus: { method: "GET", path: `${PATH_PREFIX}/get_upload_status` },
  uploadFromUrl: { method: "POST", path: `${PATH_PREFIX}/upload_from_url` },
  generateVideo: { method: "POST", path: `${PATH_PREFIX}/generate_ad_video` },
  generateAudio: { method: "POST", path: `${PATH_PREFIX}/generate_ad_audio` },
  generateText: { method: "POST", path: `${PATH_PREFIX}/generate_ad_text` },
  generateTextFromUrl: { method: "POST", path: `${PATH_PREFIX}/generate_ad_text_from_url` },
  generateVideoFromUrl: { method: "POST", path: `${PATH_PREFIX}/generate_ad_video_from_url` },
  getResults: { method: "GET", path: `${PATH_PREFIX}/get_results` },
  deleteJob: { method: "DELETE", path: `${PATH_PREFIX}/jobs/{job_id}` },
} as const satisfies Record<string, Route>;

/** Endpoints that this project's own service has beside the interface; others answer 404 or 405. */
const ADDED_ROUTES = {
  getListening: { method: "GET", path: `${PATH_PREFIX}/listen` },
  listen: { method: "POST", path: `${PATH_PREFIX}/listen` },
  getLineVoicing: { method: "GET", path: `${PATH_PREFIX}/voice_line` },
  voiceLine: { method: "POST", path: `${PATH_PREFIX}/voice_line` },
  getTextReading: { method: "GET", path: `${PATH_PREFIX}/read_text` },
  readText: { method: "POST", path: `${PATH_PREFIX}/read_text` },
  moments: { method: "POST", path: `${PATH_PREFIX}/jobs/{job_id}/pictures` },
  getWordingOffer: { method: "GET", path: `${PATH_PREFIX}/jobs/{job_id}/wordings` },
  wordings: { method: "POST", path: `${PATH_PREFIX}/jobs/{job_id}/wordings` },
  getSettings: { method: "GET", path: `${PATH_PREFIX}/settings` },
  changeSettings: { method: "POST", path: `${PATH_PREFIX}/settings` },
  beginSettingsAnew: { method: "DELETE", path: `${PATH_PREFIX}/settings` },
  getSettingChoices: { method: "GET", path: `${PATH_PREFIX}/settings/choices` },
  testSettings: { method: "POST", path: `${PATH_PREFIX}/settings/test` },
  getEstimate: { method: "GET", path: `${PATH_PREFIX}/settings/estimate` },
  getModels: { method: "GET", path: `${PATH_PREFIX}/settings/models` },
  fetchModel: { method: "POST", path: `${PATH_PREFIX}/settings/models` },
  cancelFetch: { method: "DELETE", path: `${PATH_PREFIX}/settings/models` },
  removeModel: { method: "DELETE", path: `${PATH_PREFIX}/settings/models/{model}` },
  checkModel: { method: "POST", path: `${PATH_PREFIX}/settings/models/{model}/check` },
  cancelJob: { method: "POST", path: `${PATH_PREFIX}/jobs/{job_id}/cancel` },
  deleteMedia: { method: "DELETE", path: `${PATH_PREFIX}/media/{media_id}` },
  dropSound: { method: "DELETE", path: `${PATH_PREFIX}/listen` },
} as const satisfies Record<string, Route>;

/** Every endpoint that our service answers. */
export const SERVED_ROUTES = { ...ROUTES, ...ADDED_ROUTES } as const;

/** Every endpoint that our client calls: those of the service, and the one beside them that takes no key. */
export const CALLED_ROUTES = { ...SERVED_ROUTES, pair: { method: "POST", path: `${PAGE_PATH}/pair` } } as const;

/** Name of an endpoint that our client calls. */
export type CalledRouteName = keyof typeof CALLED_ROUTES;

/** Name of an endpoint of the interface. */
export type RouteName = keyof typeof ROUTES;

/** Name of an endpoint of our service. */
export type ServedRouteName = keyof typeof SERVED_ROUTES;

/**
 * Header that tells a request from any other: sent again with the same key, it brings the same job or media, and no second
 * one (draft-ietf-httpapi-idempotency-key-header).
 */
export const IDEMPOTENCY_KEY_HEADER = "Idempotency-Key";

/**
 * Addition of this service, on every reply of the interface: how many seconds it knows such a key. Where it is missing, the
 * service may not know keys at all.
 */
export const KEY_MAX_AGE_HEADER = "Idempotency-Key-Max-Age";

/** Header that carries the API key. */
export const API_KEY_HEADER = "X-API-Key";
