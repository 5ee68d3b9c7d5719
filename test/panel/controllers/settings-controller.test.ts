import { expect, test } from "vitest";
import type { ChangedSettings, SettingsReply, TestSettingsAsked } from "../../../src/contract/service-settings.ts";
import { silentWav } from "../../fakes/wav.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../open-panel.ts";

const PART = { decided_by: "nobody", values: {}, has_key: false, is_ready: true, sends_to: null } as const;
const PLAIN = { ...PART, numbers: [] };
const DAYS = { decided_by: "nobody", minimum: 1, maximum: 36_500, word: "forever", waits_for_start: false } as const;

const SETTINGS: SettingsReply = {
  may_change: true,
  voices: [],
  describer: { ...PLAIN, state: "Text on screen alone is told." },
  dialogue: { ...PLAIN, state: "From captions and subtitles." },
  voice: { ...PLAIN, state: "The built-in voice." },
  privacy: { ...PLAIN, state: "Servers that you choose are sent what they need." },
  models: { ...PLAIN, state: "Models that are ordered come from where their makers put them." },
  limits: { ...PLAIN, state: "" },
  retention: {
    ...PART,
    state: "As it comes.",
    numbers: [
      { ...DAYS, name: "result_days", title: "Results, in days", value: "30" },
      { ...DAYS, name: "media_days", title: "Films, in days", value: "20", decided_by: "settings" },
      { ...DAYS, name: "narration_days", title: "Lines, in days", value: "9", decided_by: "environment" },
    ],
  },
  network: { ...PLAIN, state: "" },
};

const CHOICES = {
  describer: [
    { title: "Text on screen only", detail: "No model.", values: { server: "off" }, needs: [], is_local: true },
    { title: "OpenAI", detail: "Is paid.", values: { server: "openai" }, needs: ["model", "key"], is_local: false },
  ],
  dialogue: [],
  voice: [{ title: "Voices of macOS", detail: "2 voices.", values: { system: "on" }, needs: [], is_local: true }],
  system_voices: [
    { id: "Anna", name: "Anna", language: "de-DE", gender: "female" },
    { id: "Eddy", name: "Eddy", language: "de-DE", gender: null },
  ],
};

/** A panel on a service that says who describes, hears and speaks, at the view of the service. */
async function panelWith(settings: SettingsReply = SETTINGS) {
  const panel = await panelOnDoubles();
  const asked = { changes: [] as ChangedSettings[], trials: [] as TestSettingsAsked[] };
  let inForce = settings;
  Object.assign(panel.server.additions, {
    "GET settings": () => ({ body: inForce }),
    "GET settings/choices": () => ({ body: CHOICES }),
    "POST settings": (change: ChangedSettings) => {
      asked.changes.push(change);
      const sends_to = change.describer?.["server"] === "openai" ? "api.openai.com" : null;
      inForce = { ...inForce, describer: { ...inForce.describer, decided_by: "settings", sends_to } };
      return { body: inForce };
    },
    "POST settings/test": (trial: TestSettingsAsked) => {
      asked.trials.push(trial);
      const outcome = { works: true, message: "It said: “red”", seconds: 1.25, cost: 0.02 };
      const heard = { works: true, message: "It spoke for 1.0 s.", seconds: 1 };
      const audio = Buffer.from(silentWav(1)).toString("base64");
      return { body: trial.part === "voice" ? { ...heard, audio } : outcome };
    },
  });
  await panel.connect();
  panel.page().click("badge");
  await panel.sees("Writes");
  return { panel, asked };
}

async function openPart(panel: PanelOnDoubles, part: string): Promise<void> {
  panel.page().click(`section-settings-${part}`);
  await expect.poll(() => panel.page().find(`${part}-choice`)).not.toBeNull();
}

async function clickWhenPossible(panel: PanelOnDoubles, id: string): Promise<void> {
  await expect.poll(() => panel.page().byId(id).disabled).toBe(false);
  panel.page().click(id);
}

test("the voices that the service has are listed by their names, and the chosen one is heard as the service is set", async () => {
  const voices = [{ voice: "Achernar", title: "Samantha", gender: "female" as const, languages: ["en-US"] }];
  const { panel, asked } = await panelWith({ ...SETTINGS, voices });
  panel.page().click("tab-describe");
  await panel.sees("Voice · English (United States)");
  await panel.sees("Samantha (female)");
  await expect.poll(() => panel.page().find("hear-voice")).not.toBeNull();
  expect(
    panel
      .page()
      .byId("voice")
      .children.map((option) => option.textContent),
  ).toEqual(["Samantha (female)"]);
  panel.page().click("hear-voice");
  await expect.poll(() => panel.heard.length).toBe(1);
  expect(asked.trials).toEqual([{ part: "voice", language: "en-US", voice: "Achernar" }]);
  await panel.openOptions("voice");
  panel.page().type("language", "fr-FR");
  await panel.sees("No voice here speaks French (France).");
});

test("the panel says where things go, as its service tells it", async () => {
  const { panel } = await panelWith();
  expect(panel.page().byId("badge").textContent).toBe("Local: nothing leaves this computer");
  const away = { ...SETTINGS, describer: { ...SETTINGS.describer, sends_to: "api.openai.com" } };
  const elsewhere = await panelWith(away);
  expect(elsewhere.panel.page().byId("badge").textContent).toBe(
    "On this computer; sends pictures, sound or words to api.openai.com",
  );
});

test("a model is chosen, tried with its price, and used; its key stays nowhere in the panel", async () => {
  const { panel, asked } = await panelWith();
  await openPart(panel, "describer");
  panel.page().type("describer-choice", "1");
  await panel.sees("What it needs leaves this computer.");
  expect(panel.page().byId("use-describer").disabled).toBe(true);
  panel.page().type("describer-model", "gpt-any");
  panel.page().type("describer-key", "sk-secret-of-mine");
  panel.page().type("describer-price", "2.5/10");
  await clickWhenPossible(panel, "try-describer");
  await panel.sees("✓ It said: “red”");
  await panel.sees("1.3 s, cost 0.02");
  const values = { server: "openai", model: "gpt-any", key: "sk-secret-of-mine", price: "2.5/10" };
  expect(asked).toEqual({ changes: [], trials: [{ part: "describer", values }] });
  panel.page().click("use-describer");
  await panel.sees("Saved.");
  expect(asked.changes).toEqual([{ describer: values }]);
  expect(panel.page().find("describer-key")).toBeNull();
  expect(panel.page().byId("badge").textContent).toContain("api.openai.com");
  const kept = [...panel.disk.files.values()].map((bytes) => Buffer.from(bytes).toString("utf8")).join("\n");
  expect(kept).not.toContain("sk-secret");
});

test("a voice of the system is heard before it is used, in the language of the form", async () => {
  const { panel, asked } = await panelWith();
  await openPart(panel, "voice");
  panel.page().type("voice-choice", "0");
  await expect.poll(() => panel.page().find("voice-system")).not.toBeNull();
  panel.page().type("voice-system", "Eddy");
  panel.page().click("try-voice");
  await panel.sees("It spoke for 1.0 s.");
  await expect.poll(() => panel.heard).toHaveLength(1);
  expect(asked.trials).toEqual([
    { part: "voice", values: { system: "Eddy" }, language: "en-US", voice: expect.any(String) },
  ]);
});

test("what the service refuses is told in its words, and stays typed", async () => {
  const { panel } = await panelWith();
  panel.server.additions["POST settings"] = () => ({
    status: 400,
    body: { error: "invalid_input", message: "describer.price is not of the form “input/output”." },
  });
  await openPart(panel, "describer");
  panel.page().type("describer-choice", "1");
  await expect.poll(() => panel.page().find("describer-model")).not.toBeNull();
  panel.page().type("describer-model", "gpt-any");
  panel.page().type("describer-key", "sk-1");
  await clickWhenPossible(panel, "use-describer");
  await panel.sees(/describer\.price is not of the form/i);
  expect(panel.page().byId("describer-model").value).toBe("gpt-any");
});

test("what the environment decides, and what a key may not change, is shown and not offered", async () => {
  const voice = { ...SETTINGS.voice, decided_by: "environment", state: "A program of this computer." } as const;
  const { panel } = await panelWith({ ...SETTINGS, voice });
  panel.page().click("section-settings-voice");
  await panel.sees("Change it there");
  expect(panel.page().find("voice-choice")).toBeNull();
  const other = (await panelWith({ ...SETTINGS, may_change: false })).panel;
  await other.sees("This key cannot change them.");
  other.page().click("section-settings-describer");
  await other.sees("Text on screen alone is told.");
  for (const id of ["describer-choice", "try-describer", "local-only"]) expect(other.page().find(id)).toBeNull();
});

test("one box lets nothing leave the computer", async () => {
  const { panel, asked } = await panelWith();
  panel.page().tick("local-only", true);
  await expect.poll(() => asked.changes).toEqual([{ privacy: { local_only: "on" } }]);
  await expect.poll(() => panel.page().heard.join(" ")).toContain("Saved. Used from the next description on.");
});

test("what the model would take of the sequence stands beside Describe, and is asked anew when the settings change", async () => {
  const { panel } = await panelWith();
  const asked = () => panel.server.seen.filter(({ path }) => path.endsWith("/settings/estimate"));
  let reply = {
    model: "gpt-any",
    requests: 41,
    tokens: 1234567,
    cost: 3.104,
    ceiling: 2,
    seconds: 90 as number | null,
  };
  panel.server.additions["GET settings/estimate"] = () => ({ body: reply });
  panel.page().click("tab-describe");
  await panel.sees("gpt-any: about 41 requests, 1\u00a0234\u00a0567 tokens · cost about 3.1 · about 1.5 min");
  await panel.sees("This may exceed your limit of 2");
  expect(asked()).toHaveLength(1);
  expect(Number(asked()[0]?.query.get("duration_seconds"))).toBeGreaterThan(0);
  reply = { ...reply, requests: 99, seconds: null };
  panel.page().click("badge");
  await openPart(panel, "describer");
  panel.page().type("describer-choice", "0");
  await clickWhenPossible(panel, "use-describer");
  await panel.sees("Saved.");
  panel.page().click("tab-describe");
  await panel.sees(/about 99 requests/);
  expect(panel.page().byId("model-estimate").textContent).not.toContain("min");
});

test("numbers are typed with their range beside them, and set with those that were set before", async () => {
  const { panel, asked } = await panelWith();
  panel.page().click("section-settings-retention");
  await panel.sees("1 to 36500. Or “forever”.");
  expect(panel.page().byId("retention-narration_days").disabled).toBe(true);
  expect(panel.page().byId("use-retention").disabled).toBe(true);
  panel.page().type("retention-result_days", "90");
  await clickWhenPossible(panel, "use-retention");
  await expect.poll(() => asked.changes).toEqual([{ retention: { result_days: "90", media_days: "20" } }]);
  await panel.sees("Used from the next description on.");
  expect(panel.page().find("section-settings-limits")).toBeNull();
});

test("a service that says nothing of it has a view without it", async () => {
  const panel = await panelOnDoubles();
  await panel.connect();
  panel.page().click("badge");
  await panel.sees("Test connection");
  expect(panel.page().find("section-settings-voice")).toBeNull();
});

test("damaged settings are told, and put aside by a button", async () => {
  const panel = await panelOnDoubles();
  let isDamaged = true;
  panel.server.additions["GET settings"] = () =>
    isDamaged
      ? { status: 409, body: { error: "invalid_input", message: "The file is damaged.", code: "settings_damaged" } }
      : { body: SETTINGS };
  panel.server.additions["DELETE settings"] = () => {
    isDamaged = false;
    return { body: SETTINGS };
  };
  await panel.connect();
  panel.page().click("badge");
  await panel.sees("The file is damaged.");
  panel.page().click("settings-anew");
  await panel.sees("The built-in voice.");
  expect(panel.page().find("settings-anew")).toBeNull();
});
