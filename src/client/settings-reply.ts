import type {
  HeardVoice,
  ModelEstimateReply,
  NumberInForce,
  NumberPart,
  PartInForce,
  SettingChoice,
  SettingChoicesReply,
  SettingsReply,
  SettingsTestReply,
} from "../contract/service-settings.ts";
import { defined } from "../core/objects.ts";
import { type JsonObject, listField, numberField, objectOf, textField } from "./reply.ts";

/** Reads the reply of `settings`; `null` unless every part is there. */
export function readSettings(reply: JsonObject): SettingsReply | null {
  const [describer, dialogue, voice, privacy] = [
    partIn(reply, "describer"),
    partIn(reply, "dialogue"),
    partIn(reply, "voice"),
    partIn(reply, "privacy"),
  ];
  if (describer === null || dialogue === null || voice === null || privacy === null) return null;
  // A service of before knows none of these.
  const later = (name: NumberPart | "models") => partIn(reply, name) ?? UNKNOWN_PART;
  return {
    may_change: reply["may_change"] === true,
    describer,
    dialogue,
    voice,
    privacy,
    models: later("models"),
    limits: later("limits"),
    retention: later("retention"),
    network: later("network"),
    voices: listField(reply, "voices").flatMap(heardVoiceIn),
  };
}

function heardVoiceIn(one: unknown): HeardVoice[] {
  const object = objectOf(one) ?? {};
  const [voice, title] = [textField(object, "voice"), textField(object, "title")];
  const languages = listField(object, "languages").filter((code) => typeof code === "string");
  return voice === undefined || title === undefined ? [] : [{ voice, title, gender: genderIn(object), languages }];
}

function genderIn({ gender }: JsonObject): HeardVoice["gender"] {
  return gender === "female" || gender === "male" ? gender : null;
}

const UNKNOWN_PART: PartInForce = {
  decided_by: "nobody",
  values: {},
  has_key: false,
  is_ready: true,
  state: "",
  sends_to: null,
  numbers: [],
};

/** Reads the reply of `settings/choices`; what cannot be read of it is left out. */
export function readSettingChoices(reply: JsonObject): SettingChoicesReply {
  return {
    describer: choicesIn(reply, "describer"),
    dialogue: choicesIn(reply, "dialogue"),
    voice: choicesIn(reply, "voice"),
    system_voices: listField(reply, "system_voices").flatMap((one) => {
      const voice = objectOf(one) ?? {};
      const [id, name, language] = [textField(voice, "id"), textField(voice, "name"), textField(voice, "language")];
      const gender = genderIn(voice);
      return id === undefined || name === undefined || language === undefined ? [] : [{ id, name, language, gender }];
    }),
  };
}

/** Reads the reply of `settings/test`; `null` unless it says whether it works. */
export function readSettingsTest(reply: JsonObject): SettingsTestReply | null {
  const { works } = reply;
  const [message, seconds] = [textField(reply, "message"), numberField(reply, "seconds")];
  if (typeof works !== "boolean" || message === undefined || seconds === undefined) return null;
  const [cost, tokens, audio] = [numberField(reply, "cost"), numberField(reply, "tokens"), textField(reply, "audio")];
  return {
    works,
    message,
    seconds,
    ...(cost === undefined ? {} : { cost }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(audio === undefined ? {} : { audio }),
  };
}

/** Reads the reply of `settings/estimate`; `null` unless it says how much is asked. */
export function readModelEstimate(reply: JsonObject): ModelEstimateReply | null {
  const [requests, tokens] = [numberField(reply, "requests"), numberField(reply, "tokens")];
  if (requests === undefined || tokens === undefined) return null;
  return {
    model: textField(reply, "model") ?? null,
    requests,
    tokens,
    cost: numberField(reply, "cost") ?? null,
    ceiling: numberField(reply, "ceiling") ?? null,
    seconds: numberField(reply, "seconds") ?? null,
    ...defined({ remark: textField(reply, "remark") }),
  };
}

function partIn(reply: JsonObject, name: string): PartInForce | null {
  const part = objectOf(reply[name]);
  const by = decidedBy(part);
  if (part === null || by === null) return null;
  return {
    decided_by: by,
    values: textsOf(part["values"]),
    has_key: part["has_key"] === true,
    is_ready: part["is_ready"] === true,
    state: textField(part, "state") ?? "",
    sends_to: textField(part, "sends_to") ?? null,
    numbers: listField(part, "numbers").flatMap((one) => numberIn(objectOf(one) ?? {})),
  };
}

function numberIn(number: JsonObject): NumberInForce[] {
  const [name, title, value] = [textField(number, "name"), textField(number, "title"), textField(number, "value")];
  const [minimum, maximum, by] = [numberField(number, "minimum"), numberField(number, "maximum"), decidedBy(number)];
  if (name === undefined || title === undefined || value === undefined) return [];
  if (minimum === undefined || maximum === undefined || by === null) return [];
  const word = textField(number, "word") ?? null;
  const waits_for_start = number["waits_for_start"] === true;
  return [{ name, title, value, decided_by: by, minimum, maximum, word, waits_for_start }];
}

function decidedBy(one: JsonObject | null): PartInForce["decided_by"] | null {
  const by = one?.["decided_by"];
  return by === "settings" || by === "environment" || by === "nobody" ? by : null;
}

function choicesIn(reply: JsonObject, name: string): SettingChoice[] {
  return listField(reply, name).flatMap((one) => {
    const choice = objectOf(one) ?? {};
    const title = textField(choice, "title");
    if (title === undefined) return [];
    const needs = listField(choice, "needs").filter((need) => typeof need === "string");
    const detail = textField(choice, "detail") ?? "";
    return [{ title, detail, values: textsOf(choice["values"]), needs, is_local: choice["is_local"] === true }];
  });
}

/** The texts of an object, by name. */
function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(objectOf(value) ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
