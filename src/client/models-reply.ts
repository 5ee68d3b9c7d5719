import { MODEL_KINDS } from "../contract/choices.ts";
import type { ModelDownload, ModelHere, ModelsReply } from "../contract/models.ts";
import { type JsonObject, listField, numberField, objectOf, textField } from "./reply.ts";

/** Reads the reply of `settings/models`; what cannot be read of it is left out. */
export function readModels(reply: JsonObject): ModelsReply {
  return {
    models: listField(reply, "models").flatMap((one) => modelIn(objectOf(one) ?? {})),
    download: downloadIn(objectOf(reply["download"])),
    free_bytes: numberField(reply, "free_bytes") ?? 0,
    computer: textField(reply, "computer") ?? "",
    refused: textField(reply, "refused") ?? null,
  };
}

const STATES = ["absent", "partial", "installed", "damaged"] as const;
const DOWNLOAD_STATES = ["running", "checking", "unpacking", "done", "failed", "cancelled"] as const;

function modelIn(model: JsonObject): ModelHere[] {
  const [id, title] = [textField(model, "id"), textField(model, "title")];
  const [kind, state] = [wordIn(MODEL_KINDS, model["kind"]), wordIn(STATES, model["state"])];
  if (id === undefined || title === undefined || kind === undefined || state === undefined) return [];
  const licence = objectOf(model["licence"]);
  return [
    {
      id,
      kind,
      title,
      keeper: wordIn(["aside", "ollama"], model["keeper"]) ?? "aside",
      licence:
        licence === null
          ? null
          : {
              name: textField(licence, "name") ?? "",
              url: textField(licence, "url") ?? "",
              has_terms: licence["has_terms"] === true,
            },
      languages: listField(model, "languages").filter((code) => typeof code === "string"),
      voices: numberField(model, "voices") ?? 0,
      bytes: numberField(model, "bytes") ?? 0,
      state,
      suits: wordIn(["yes", "slow", "no"], model["suits"]) ?? "yes",
      remark: textField(model, "remark") ?? "",
      is_recommended: model["is_recommended"] === true,
      seconds_per_minute: numberField(model, "seconds_per_minute") ?? null,
      samples: textField(model, "samples") ?? null,
      addresses: listField(model, "addresses").filter((address) => typeof address === "string"),
    },
  ];
}

function downloadIn(download: JsonObject | null): ModelDownload | null {
  const model = download === null ? undefined : textField(download, "model");
  const state = wordIn(DOWNLOAD_STATES, download?.["state"]);
  if (download === null || model === undefined || state === undefined) return null;
  return {
    model,
    state,
    completed_bytes: numberField(download, "completed_bytes") ?? 0,
    total_bytes: numberField(download, "total_bytes") ?? 0,
    bytes_per_second: numberField(download, "bytes_per_second") ?? null,
    seconds_left: numberField(download, "seconds_left") ?? null,
    message: textField(download, "message") ?? "",
  };
}

function wordIn<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}
