import { expect, test } from "vitest";
import type { ModelDownload, ModelHere, ModelsReply } from "../../../src/contract/models.ts";
import type { SettingsReply } from "../../../src/contract/service-settings.ts";
import { silentWav } from "../../fakes/wav.ts";
import { panelOnDoubles } from "../open-panel.ts";

const PART = { decided_by: "nobody", values: {}, has_key: false, is_ready: true, sends_to: null } as const;
const part = (state: string) => ({ ...PART, state, numbers: [] });

const SETTINGS: SettingsReply = {
  may_change: true,
  voices: [{ voice: "Achernar", title: "Built in", gender: "female", languages: ["en-US"] }],
  describer: part("Text on screen alone is told."),
  dialogue: part("From captions and subtitles."),
  voice: part("The built-in voice."),
  privacy: part(""),
  models: part(""),
  limits: part(""),
  retention: part(""),
  network: part(""),
};

const MODEL: ModelHere = {
  id: "qwen3-vl-4b",
  kind: "eyes",
  title: "Qwen3-VL 4B",
  keeper: "aside",
  licence: { name: "Apache 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0", has_terms: false },
  languages: [],
  voices: 0,
  bytes: 3e9,
  state: "absent",
  suits: "yes",
  remark: "",
  is_recommended: true,
  seconds_per_minute: 20,
  samples: null,
  addresses: [],
};

const LARGE = { ...MODEL, id: "qwen3-vl-8b", title: "Qwen3-VL 8B", bytes: 5.8e9, is_recommended: false };

const MODELS: readonly ModelHere[] = [
  MODEL,
  { ...LARGE, suits: "no", remark: "Too large: it needs 12 GB of memory." },
  {
    ...MODEL,
    id: "supertonic-3",
    kind: "voice",
    title: "Supertonic 3",
    bytes: 130e6,
    licence: { name: "OpenRAIL-M", url: "https://example.org/openrail", has_terms: true },
    languages: ["en", "de", "fr"],
    voices: 10,
    seconds_per_minute: null,
    samples: null,
    addresses: [],
  },
  { ...MODEL, id: "kokoro-en", kind: "voice", title: "Kokoro", state: "installed", languages: ["en"], voices: 1 },
];

interface Order {
  readonly model: string;
  readonly uploads?: readonly { readonly media_id: string; readonly gcs_path: string }[];
}

/** A panel at the models of a service whose downloads go as the test says. */
async function panelAtModels(models: readonly ModelHere[] = MODELS, refused: string | null = null) {
  const panel = await panelOnDoubles();
  const reply: { -readonly [Name in keyof ModelsReply]: ModelsReply[Name] } = {
    models: [...models],
    download: null,
    free_bytes: 82e9,
    computer: "Apple M1, 8 GB of memory.",
    refused,
  };
  const asked: unknown[] = [];
  const orders: Order[] = [];
  const changed = (state: ModelHere["state"], id: string) => {
    reply.models = reply.models.map((model) => (model.id === id ? { ...model, state } : model));
  };
  const at = (model: string, download: Partial<ModelDownload>) => {
    const none = { completed_bytes: 0, total_bytes: 0, bytes_per_second: null, seconds_left: null, message: "" };
    reply.download = { model, state: "running", ...none, ...download };
  };
  const did = (what: unknown) => {
    asked.push(what);
    return { body: reply };
  };
  Object.assign(panel.server.additions, {
    "GET settings": () => ({ body: SETTINGS }),
    "GET settings/models": () => ({ body: reply }),
    "POST settings/models": (order: Order) => {
      const { model } = order;
      orders.push(order);
      at(model, { completed_bytes: 1.8e9, total_bytes: 3e9, bytes_per_second: 14e6, seconds_left: 85 });
      return did(["get", model]);
    },
    "DELETE settings/models": () => {
      at(reply.download?.model ?? "", { state: "cancelled" });
      changed("partial", reply.download?.model ?? "");
      return did("pause");
    },
    "DELETE settings/models/kokoro-en": () => {
      changed("absent", "kokoro-en");
      return did("remove");
    },
    "POST settings/models/kokoro-en/check": () => {
      at("kokoro-en", { state: "checking", total_bytes: 88e6 });
      return did("check");
    },
  });
  await panel.connect();
  panel.page().click("badge");
  await panel.sees("Models for this computer");
  panel.page().click("go-models");
  await panel.sees("Apple M1, 8 GB of memory.");
  return { panel, asked, orders, at, changed };
}

test("what is there and what can be had stands in one list: what it is for, its size, its licence, and what this computer makes of it", async () => {
  const { panel } = await panelAtModels();
  for (const said of [
    "82 GB free",
    "Qwen3-VL 4B · 3.0 GB · Apache 2.0",
    "Recommended · about 20 s for a minute of film",
    "Too large: it needs 12 GB of memory.",
    "3 languages · 10 voices · terms of use",
    "English · 1 voice",
  ]) {
    await panel.sees(said);
  }
  // What is too large is no button, and what is there is not offered again.
  expect(panel.page().find("get-qwen3-vl-8b")).toBeNull();
  expect(panel.page().find("get-kokoro-en")).toBeNull();
});

test("a model is ordered, shows how far it is, is paused and continued, and counts when it is there", async () => {
  const { panel, asked, at, changed } = await panelAtModels();
  panel.page().click("get-qwen3-vl-4b");
  await panel.sees("1.8 GB of 3.0 GB · 14 MB/s · About 85 seconds left");
  // One at a time.
  expect(panel.page().byId("get-supertonic-3").disabled).toBe(true);
  panel.page().click("pause-qwen3-vl-4b");
  await panel.sees("Continue");
  panel.page().click("get-qwen3-vl-4b");
  await panel.sees("14 MB/s");
  at("qwen3-vl-4b", { state: "done" });
  changed("installed", "qwen3-vl-4b");
  await panel.sees("Qwen3-VL 4B is installed.");
  expect(asked).toEqual([["get", "qwen3-vl-4b"], "pause", ["get", "qwen3-vl-4b"]]);
});

test("each step of a download and of a check is heard, and that it was stopped", async () => {
  const { panel, at } = await panelAtModels();
  const { heard } = panel.page();
  const hears = (sentence: string) => expect.poll(() => heard.splice(0).join(" ")).toContain(sentence);
  panel.page().click("get-qwen3-vl-4b");
  await hears("Downloading Qwen3-VL 4B.");
  panel.page().click("pause-qwen3-vl-4b");
  await hears("Paused. What has arrived is kept.");
  panel.page().click("get-qwen3-vl-4b");
  await hears("Downloading Qwen3-VL 4B.");
  at("qwen3-vl-4b", { state: "checking", total_bytes: 3e9 });
  await hears("Checking what arrived…");
  at("qwen3-vl-4b", { state: "unpacking", total_bytes: 3e9 });
  await hears("Unpacking…");
  at("qwen3-vl-4b", { state: "cancelled" });
  await hears("Stopped.");
  panel.page().click("check-kokoro-en");
  await hears("Checking what arrived…");
  panel.page().click("pause-kokoro-en");
  await hears("Stopped.");
  // What was stopped before somebody looked is no news.
  panel.page().click("leave-models");
  panel.page().click("go-models");
  await panel.sees("Apple M1, 8 GB of memory.");
  expect(heard.splice(0).join(" ")).not.toContain("Stopped.");
});

test("terms of use are shown before anything is fetched", async () => {
  const { panel, asked } = await panelAtModels();
  panel.page().click("get-supertonic-3");
  await panel.sees("Supertonic 3 has terms of use, OpenRAIL-M: https://example.org/openrail.");
  expect(asked).toEqual([]);
  panel.page().click("leave-supertonic-3");
  await expect.poll(() => panel.page().find("agree-supertonic-3")).toBeNull();
  panel.page().click("get-supertonic-3");
  await panel.sees("By getting it you agree to them.");
  panel.page().click("agree-supertonic-3");
  await expect.poll(() => asked).toEqual([["get", "supertonic-3"]]);
});

test("a download that failed says why in its row, and is tried again", async () => {
  const { panel, at } = await panelAtModels();
  panel.page().click("get-qwen3-vl-4b");
  await panel.sees("14 MB/s");
  at("qwen3-vl-4b", { state: "failed", message: "The disk has room for 2 GB, and 3 GB are needed. Make room." });
  await panel.sees("Make room.");
  await panel.sees("Try again");
});

test("one that is there is checked, told to be damaged, and removed once that was asked", async () => {
  const { panel, asked, at, changed } = await panelAtModels();
  panel.page().click("check-kokoro-en");
  await panel.sees("Checking what arrived…");
  at("kokoro-en", { state: "done" });
  await panel.sees("Kokoro is complete and undamaged.");
  panel.page().click("check-kokoro-en");
  await panel.sees("Checking what arrived…");
  changed("damaged", "kokoro-en");
  at("kokoro-en", { state: "failed", message: "Kokoro is damaged (model.onnx), and is no longer used." });
  await panel.sees("Kokoro is damaged (model.onnx), and is no longer used.");
  await panel.sees("Get it again");
  panel.page().click("remove-kokoro-en");
  await panel.sees("Remove Kokoro from this computer?");
  expect(asked).toEqual(["check", "check"]);
  panel.page().click("sure-kokoro-en");
  await panel.sees("Kokoro is removed.");
  expect(asked).toEqual(["check", "check", "remove"]);
});

test("a voice that is there is heard before it is chosen, in a language that it speaks", async () => {
  const { panel } = await panelAtModels();
  const trials: unknown[] = [];
  Object.assign(panel.server.additions, {
    "POST settings/test": (trial: unknown) => {
      trials.push(trial);
      return {
        body: { works: true, message: "It spoke.", seconds: 1, audio: Buffer.from(silentWav(1)).toString("base64") },
      };
    },
  });
  const loaded = Promise.withResolvers<void>();
  panel.server.mayLeave = loaded.promise;
  const { heard } = panel.page();
  const before = heard.length;
  panel.page().click("hear-kokoro-en");
  // It takes seconds to load. What is said may be said together with what else is to be said then.
  await expect.poll(() => heard.slice(before).join(" ")).toContain("Testing…");
  expect(panel.heard).toEqual([]);
  loaded.resolve();
  await expect.poll(() => panel.heard.length).toBe(1);
  expect(trials).toEqual([
    { part: "voice", values: { natural: "kokoro-en" }, language: "en-US", voice: expect.any(String) },
  ]);
});

test("where nothing may leave the computer, that is said, and nothing can be ordered", async () => {
  const { panel } = await panelAtModels(MODELS, "Nothing may leave this computer, so nothing is fetched.");
  await panel.sees("Nothing may leave this computer, so nothing is fetched.");
  expect(panel.page().byId("get-qwen3-vl-4b").disabled).toBe(true);
});

const BROUGHT = ["https://hub.example/engine.zip", "https://hub.example/model.gguf"];

test("a model is installed from files that are picked, and only once all are there", async () => {
  const { panel, orders, at, changed } = await panelAtModels([{ ...MODEL, addresses: BROUGHT }], "Nothing may leave.");
  const pick = (...paths: readonly string[]) => {
    panel.picks.file = paths.join(" ");
    for (const path of paths) panel.disk.files.set(path, new Uint8Array(5));
    panel.page().click("add-files");
  };
  panel.page().click("open-files");
  await panel.sees("engine.zip from hub.example");
  panel.page().click("copy-addresses");
  await expect.poll(() => panel.copied.at(-1)).toBe(BROUGHT.join("\n"));
  pick("/stick/engine.zip");
  await panel.sees("1 still missing.");
  expect(panel.page().byId("install-files").disabled).toBe(true);
  pick("/other/engine.zip", "/stick/model.gguf");
  await panel.sees("Everything is here.");
  panel.page().click("install-files");
  await expect.poll(() => orders.length).toBe(1);
  expect(orders).toEqual([
    { model: MODEL.id, uploads: [1, 2].map(() => ({ media_id: expect.any(String), gcs_path: expect.any(String) })) },
  ]);
  expect(new Set(orders[0]?.uploads?.map(({ media_id }) => media_id)).size).toBe(2);
  await panel.sees("1.8 GB of 3.0 GB");
  at(MODEL.id, { state: "done" });
  changed("installed", MODEL.id);
  await panel.sees("Qwen3-VL 4B is installed.");
});

test("installing from files is stopped while they are read: nothing is ordered, and it can begin again", async () => {
  const { panel, orders } = await panelAtModels([{ ...MODEL, addresses: BROUGHT }]);
  panel.picks.file = "/stick/all.zip";
  panel.disk.files.set("/stick/all.zip", new Uint8Array(5));
  panel.page().click("open-files");
  await panel.sees("engine.zip from hub.example");
  panel.page().click("add-files");
  await panel.sees("Everything is here.");
  const arriving = Promise.withResolvers<void>();
  panel.server.mayLeave = arriving.promise;
  panel.page().click("install-files");
  await panel.sees("Reading your files…");
  expect(panel.page().byId(`get-${MODEL.id}`).disabled).toBe(true);
  panel.page().click("stop-files");
  arriving.resolve();
  await expect.poll(() => panel.page().find("stop-files")).toBeNull();
  await expect.poll(() => panel.page().heard.join(" ")).toContain("Stopped.");
  expect(orders).toEqual([]);
  panel.server.mayLeave = null;
  // What was picked is picked still.
  await panel.sees("Everything is here.");
  panel.page().click("install-files");
  await expect.poll(() => orders.length).toBe(1);
});

test("among the voices stands the way to natural ones, until one is there", async () => {
  const none = MODELS.filter(({ id }) => id !== "kokoro-en");
  const { panel, changed } = await panelAtModels(none);
  panel.page().click("tab-describe");
  await panel.sees("Natural voices to download…");
  panel.page().type("voice", "…models");
  await panel.sees("Apple M1, 8 GB of memory.");
  changed("installed", "supertonic-3");
  panel.page().click("leave-models");
  panel.page().click("go-models");
  await panel.sees("Installed");
  panel.page().click("tab-describe");
  await expect.poll(() => panel.page().byId("voice").children.length).toBe(1);
});
