import type { FastifyRequest } from "fastify";
import { API_KEY_HEADER } from "../../contract/routes.ts";
import { defined } from "../../core/objects.ts";
import type { Feature, TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import type { Queries } from "../storage/database.ts";
import { findHolderByKey, type KeyHolder, keyHash } from "../storage/key-records.ts";
import { findReviewer } from "../storage/review-links.ts";

/** Who sends a request: the holder of its key, with the plan that applies. */
export interface Caller extends KeyHolder {
  readonly plan: TeamPlan;
}

/** How long a key that was found valid is not looked up again: the time a withdrawn key or a changed plan may still count. */
const REMEMBERED_MS = 2_000;

/** Keys remembered at most. */
const REMEMBERED_KEYS = 10_000;

interface Remembered {
  readonly caller: Caller;
  readonly until: number;
}

/** Finds out who sends a request, by its API key. */
export class Authenticator {
  readonly #queries: Queries;
  readonly #planOf: (team: string) => Promise<TeamPlan>;
  readonly #remembered = new Map<string, Remembered>();
  readonly #processKeys = new Map<string, KeyHolder>();

  constructor(queries: Queries, planOf: (team: string) => Promise<TeamPlan>) {
    this.#queries = queries;
    this.#planOf = planOf;
  }

  /** Accepts a key that is never written down and ends with this process. */
  addProcessKey(key: string, holder: KeyHolder): void {
    this.#processKeys.set(keyHash(key), holder);
  }

  /** Forgets what was remembered, after a key was withdrawn. */
  forget(): void {
    this.#remembered.clear();
  }

  /**
   * Whose valid key a request carries: in our own header, or as a bearer of it where that is taken.
   *
   * @throws RequestError `unauthorized`.
   */
  async identify(request: FastifyRequest, { takesBearer = false } = {}): Promise<Caller> {
    const bearer = takesBearer ? /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] : undefined;
    const key = request.headers[API_KEY_HEADER.toLowerCase()] ?? bearer;
    if (typeof key !== "string" || key === "") {
      throw new RequestError("unauthorized", `The request has no API key. Send it in the header ${API_KEY_HEADER}.`);
    }
    const caller = await this.#find(key);
    if (caller === null) {
      throw new RequestError("unauthorized", "The API key is not valid. Check it, or ask for a new one.");
    }
    return caller;
  }

  async #find(key: string): Promise<Caller | null> {
    const now = Date.now();
    const hash = keyHash(key);
    const remembered = this.#remembered.get(hash);
    if (remembered !== undefined && remembered.until > now) return remembered.caller;
    const holder = this.#processKeys.get(hash) ?? (await findHolder(this.#queries, key));
    if (holder === null) return null;
    const caller = { ...holder, plan: await this.#planOf(holder.name) };
    if (this.#remembered.size >= REMEMBERED_KEYS) this.#remembered.clear();
    this.#remembered.set(hash, { caller, until: now + REMEMBERED_MS });
    return caller;
  }
}

/** Of a key, or of a link for reviewing one film. */
async function findHolder(queries: Queries, key: string): Promise<KeyHolder | null> {
  return (await findHolderByKey(queries, key)) ?? (await findReviewer(queries, key));
}

/** Features by the words that refusals use. */
const FEATURE_WORDS: Readonly<Record<Feature, string>> = {
  generate_text: "description text",
  generate_audio: "description audio",
  generate_video: "described video",
  standard_ad: "Standard AD",
  url_input: "media from an address",
  custom_instructions: "custom instructions",
  custom_description: "descriptions of your own",
  video_categories: "a choice of video category",
  volume: "volume settings",
};

/** @throws RequestError `feature_not_available` naming the feature and the plan, when the plan leaves it out. */
export function requireFeature(plan: TeamPlan, feature: Feature): void {
  if (!plan.without.includes(feature)) return;
  throw new RequestError(
    "feature_not_available",
    `The plan "${plan.name}" does not include ${FEATURE_WORDS[feature]}.`,
    {
      body: {
        feature,
        plan_name: plan.name,
        ...defined({ upgrade_url: plan.upgrade_url }),
      },
    },
  );
}
