import type { MODEL_KINDS } from "../../src/contract/choices.ts";
import type { ModelHere, ModelsReply } from "../../src/contract/models.ts";

/** What a model is for. */
export type ModelKind = (typeof MODEL_KINDS)[number];

/** The models of the computer on which a service runs, as they are shown. */
export interface ShownModels {
  /** The service that told of them. */
  readonly address: string;
  readonly reply: ModelsReply;
  /** What is asked about a model before it is done; `null` while nothing is. */
  readonly question: { readonly model: string; readonly about: "terms" | "remove" } | null;
}

/** What stands behind a row: how a model stands now, its download counted in. */
export type ModelStanding = "absent" | "partial" | "fetching" | "failed" | "installed" | "damaged" | "too-weak";

/** How a model stands. */
export function standingOf({ id, state, suits }: ModelHere, { download }: ModelsReply): ModelStanding {
  if (download?.model === id) {
    if (isUnderWay(download.state)) return "fetching";
    if (download.state === "failed" && state !== "installed") return "failed";
  }
  return suits === "no" && state === "absent" ? "too-weak" : state;
}

/** Whether a download goes on. */
export function isUnderWay(state: NonNullable<ModelsReply["download"]>["state"]): boolean {
  return state === "running" || state === "checking" || state === "unpacking";
}

/** What the service in use told of its computer's models, if it did. */
interface KnownModels {
  readonly modelsHere: ShownModels | null;
  readonly service: { readonly address: string };
}

/** The model to take for a kind of work that nothing on the service's computer does yet; absent where none is known of, or may be had. */
export function offeredModel({ modelsHere, service }: KnownModels, kind: ModelKind): ModelHere | undefined {
  if (modelsHere?.address !== service.address) return undefined;
  const { models, refused } = modelsHere.reply;
  const own = models.filter((model) => model.kind === kind);
  if (refused !== null || own.some(({ state }) => state === "installed")) return undefined;
  return own.find((model) => model.is_recommended && model.suits !== "no");
}
