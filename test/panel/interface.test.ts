import { describe, expect, test } from "vitest";
import { TimeoutError } from "../../src/client/errors.ts";
import { explain } from "../../src/workflow/explain.ts";
import { json } from "../fakes/hosted-server.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

/** At the form, with its sections open. */
async function atForm(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.openOptions("voice", "timing", "context");
  await panel.sees("Names, terms");
  return panel;
}

/** Orders what the form says, waits for the result, and gives the request's body. */
async function ordered(panel: PanelOnDoubles, route: "generateAudio" | "generateText" = "generateAudio") {
  await panel.order();
  await panel.sees("2 descriptions");
  return panel.server.bodies(route).at(-1) as { generation_config: Record<string, unknown> };
}

const chosen = async (panel: PanelOnDoubles, id: string, value: string) => {
  panel.page().type(id, value);
  await expect.poll(() => panel.page().byId(id).value).toBe(value);
};

const options = (panel: PanelOnDoubles, id: string) =>
  panel
    .page()
    .byId(id)
    .children.map((one) => one.textContent);

describe("settings", () => {
  test.each(["vtt", "srt", "json", "edl"])("GEN-04: the format %s is offered and asked for", async (format) => {
    const panel = await atForm();
    expect(options(panel, "format")).toHaveLength(4);
    await chosen(panel, "format", format);
    expect((await ordered(panel)).generation_config).toMatchObject({ format });
  });

  test("GEN-07 LANG-01 LANG-03 OPEN-04: 53 languages are offered, 15 marked as not confirmed, and any code may be typed", async () => {
    const panel = await atForm();
    const languages = options(panel, "language");
    expect(languages).toHaveLength(53);
    expect(languages.filter((name) => name.includes("not confirmed"))).toHaveLength(15);
    panel.page().type("other-language", "cy-GB");
    await panel.sees("cy-GB");
    expect((await ordered(panel)).generation_config).toMatchObject({ language: "cy-GB" });
  });

  test("GEN-11 OPEN-03: 31 voices are offered, one of them confirmed, and any name may be typed", async () => {
    const panel = await atForm();
    const voices = options(panel, "voice");
    expect(voices).toHaveLength(31);
    expect(voices.filter((name) => !name.includes("not confirmed"))).toEqual(["Achernar (female)"]);
    panel.page().type("other-voice", "House Voice");
    await panel.sees("House Voice");
    expect((await ordered(panel)).generation_config).toMatchObject({ voice: "House Voice" });
  });

  test("GEN-09: the 14 categories are offered", async () => {
    const panel = await atForm();
    expect(options(panel, "category")).toHaveLength(14);
    expect(options(panel, "category")).toEqual(expect.arrayContaining(["Educational Kids", "Government Meeting"]));
    await chosen(panel, "category", "Government Meeting");
    expect((await ordered(panel)).generation_config).toMatchObject({ video_category: "Government Meeting" });
  });

  test("GEN-14 GEN-17 GEN-18 GEN-21 GEN-25: extended descriptions offer all on-screen text and no timing, standard ones the reverse", async () => {
    const panel = await atForm();
    expect(panel.page().find("all-text")).toBeNull();
    expect(panel.page().find("auto-fit")).not.toBeNull();
    panel.page().tick("type-extended", true);
    await panel.sees("Read all on-screen text");
    for (const id of ["auto-fit", "over-music", "shortest"]) expect(panel.page().find(id)).toBeNull();
    expect(panel.page().byId("all-text").checked).toBe(false);
    panel.page().tick("all-text", true);
    const { generation_config: config } = await ordered(panel, "generateText");
    expect(config).toMatchObject({ ad_type: "extended_ad", read_all_onscreen_text: true });
    expect(config).not.toHaveProperty("auto_fit");
    expect(config).not.toHaveProperty("allow_descriptions_over_music");
  });

  test("GEN-20 GEN-24 GEN-28: timing settings start as the interface has them", async () => {
    const panel = await atForm();
    expect(panel.page().byId("auto-fit").checked).toBe(true);
    expect(panel.page().byId("over-music").checked).toBe(true);
    expect(panel.page().byId("shortest").value).toBe("0.75");
    const { generation_config: config } = await ordered(panel);
    expect(config).toMatchObject({ auto_fit: true, allow_descriptions_over_music: true });
    expect(config).not.toHaveProperty("standard_ad_min_cue_length");
  });

  test("GEN-29 GEN-31: the shortest cue stops at the bounds, and counts only while descriptions are fitted", async () => {
    const panel = await atForm();
    panel.page().type("shortest", "9");
    await expect.poll(() => panel.page().byId("shortest").value).toBe("5");
    panel.page().tick("auto-fit", false);
    await expect.poll(() => panel.page().byId("shortest").disabled).toBe(true);
    panel.page().tick("auto-fit", true);
    await expect.poll(() => panel.page().byId("shortest").disabled).toBe(false);
    expect((await ordered(panel)).generation_config).toMatchObject({ standard_ad_min_cue_length: 5 });
  });

  test("GEN-42 GEN-46 GEN-47: the peak is chosen, and its level shows with it alone and stops at the bounds", async () => {
    const panel = await atForm();
    expect(options(panel, "volume")).toHaveLength(2);
    expect(panel.page().find("level")).toBeNull();
    await chosen(panel, "volume", "max");
    await panel.sees("Peak, in dBFS");
    panel.page().type("level", "-40");
    await expect.poll(() => panel.page().byId("level").value).toBe("-10");
    expect((await ordered(panel)).generation_config).toMatchObject({ volume_option: "max", volume_level_db: -10 });
  });

  test("GEN-49: descriptions of the editor's own are sent as they are", async () => {
    const panel = await atForm();
    const script = "WEBVTT\n\n00:01.000 --> 00:02.000\nMine.\n";
    panel.disk.files.set("/projects/captions.vtt", Buffer.from(script));
    panel.page().click("choose-script");
    await panel.sees("Remove");
    expect((await ordered(panel)).generation_config).toMatchObject({ description_content: script });
  });

  test("a script in UTF-16 without a mark is taken, and told in what was read; one in no Unicode is refused with a way on", async () => {
    const panel = await atForm();
    const script = "WEBVTT\n\n00:01.000 --> 00:02.000\nEin M\u00e4dchen l\u00e4uft.\n";
    panel.disk.files.set("/projects/captions.vtt", Buffer.from(script, "latin1"));
    panel.page().click("choose-script");
    await panel.sees("save it as UTF-8");
    expect(panel.page().find("drop-script")).toBeNull();
    panel.disk.files.set("/projects/captions.vtt", Buffer.from(script, "utf16le"));
    panel.page().click("choose-script");
    await panel.sees("What was read");
    await panel.sees("utf-16le was assumed");
    expect((await ordered(panel)).generation_config).toMatchObject({ description_content: script });
  });

  test("GEN-51 GEN-52 AUDIO-04: the sound is narration or mix, asked for without the settings of text", async () => {
    const panel = await atForm();
    expect(options(panel, "track")).toHaveLength(2);
    await chosen(panel, "track", "mixed");
    const { generation_config: config } = await ordered(panel);
    expect(config).toMatchObject({ audio_track_type: "mixed" });
    expect(config).not.toHaveProperty("ad_type");
    expect(config).not.toHaveProperty("read_all_onscreen_text");
  });
});

describe("the service", () => {
  test("BASE-01: everything is asked below the address, with or without a slash at its end", async () => {
    const panel = await panelOnDoubles();
    await panel.connect();
    for (const end of ["/below", "/below/"]) {
      panel.page().type("service-address", panel.address + end);
      panel.page().type("service-key", panel.server.key);
      panel.page().click("test-connection");
      await expect.poll(() => panel.server.seen.at(-1)?.path).toMatch(/^\/below\/\w/);
    }
  });

  test("AUTH-03 AUTH-06: a key of any form is sent unchanged, and each service has its own", async () => {
    const panel = await panelOnDoubles();
    const other = panel.address.replace("127.0.0.1", "localhost");
    await panel.connect();
    panel.page().type("service-address", other);
    await panel.sees("No key is saved");
    panel.page().type("service-key", "any/text = a key!");
    panel.page().click("test-connection");
    const keys = () => panel.server.seen.map(({ headers }) => headers.get("x-api-key"));
    // What the panel asks of itself meanwhile carries none.
    await expect.poll(keys).toContain("any/text = a key!");
    panel.page().type("service-address", panel.address);
    await expect.poll(() => panel.page().byId("service-address").value).toBe(panel.address);
    const before = keys().length;
    panel.page().click("test-connection");
    await expect.poll(() => keys().slice(before)).toContain(panel.server.key);
  });

  test("RES-09 RES-10: a job is asked for by its id until it is done, and no more", async () => {
    const panel = await atForm();
    panel.server.jobStates = ["queued", "queued"];
    await ordered(panel);
    const polls = panel.server.seen.filter(
      ({ route, query }) => route === "getResults" && query.get("job_id")?.startsWith("task_"),
    );
    expect(polls).toHaveLength(3);
    expect(new Set(polls.map(({ query }) => query.get("job_id")))).toEqual(new Set(panel.server.jobs.keys()));
  });

  test("PANEL-19: polls come 2 s apart and then less often, unknown states count as running, a service's pause wins", async () => {
    const panel = await atForm();
    panel.server.pollSeconds = undefined;
    panel.server.jobStates = ["processing", "weird", "processing"];
    await ordered(panel);
    const growing = panel.pauses.filter((pause) => [2000, 3000, 4500].includes(pause));
    expect(growing.slice(-3)).toEqual([2000, 3000, 4500]);
    panel.server.pollSeconds = 7;
    panel.page().click("tab-describe");
    await panel.sees("Describe sequence");
    await panel.order();
    await expect.poll(() => panel.pauses.filter((pause) => pause === 7000).length).toBeGreaterThan(1);
    const late = explain(new TimeoutError("job_timed_out", "the job did not end", 1));
    expect(late.next).toContain("its result is fetched; nothing is ordered twice");
  });

  test("the history lists the jobs of the open project, and those of others when it is asked to", async () => {
    const panel = await atForm();
    await ordered(panel);
    const [path = ""] = [...panel.disk.files.keys()].filter((name) => name.endsWith(".job.json"));
    const text = new TextDecoder().decode(panel.disk.files.get(path));
    expect(text).toContain('"projectId":"project-sample"');
    panel.disk.files.set(path, new TextEncoder().encode(text.replace('"project-sample"', '"another"')));
    panel.open();
    await panel.sees("Describe sequence");
    panel.page().click("tab-history");
    await panel.sees("Nothing in this project has been described yet.");
    await panel.sees("All projects (1 more)");
    panel.page().tick("all-projects", true);
    await expect.poll(() => panel.page().withAttribute("data-job-state", "done")).toHaveLength(1);
  });

  test("DEL-06: deleting on the service is offered for finished jobs alone; a failed one goes from the list", async () => {
    const panel = await atForm();
    panel.server.jobEnd = "content_blocked";
    await panel.order();
    await panel.sees("safety filter");
    panel.page().click("tab-history");
    await panel.sees("Remove from the list");
    panel.page().withAttribute("data-action", "delete-job")[0]?.happens("click");
    await expect.poll(() => panel.page().withAttribute("data-action", "delete-now")).toHaveLength(1);
    panel.page().withAttribute("data-action", "delete-now")[0]?.happens("click");
    await panel.sees("No sequence has been described yet.");
    expect(panel.server.seen.some(({ route }) => route === "deleteJob")).toBe(false);
  });

  test("a finished job is deleted on the service and here", async () => {
    const panel = await atForm();
    await ordered(panel);
    panel.page().click("tab-history");
    await panel.sees("Delete on the service");
    panel.page().withAttribute("data-action", "delete-job")[0]?.happens("click");
    await expect.poll(() => panel.page().withAttribute("data-action", "delete-now")).toHaveLength(1);
    panel.page().withAttribute("data-action", "delete-now")[0]?.happens("click");
    await panel.sees("No sequence has been described yet.");
    expect(panel.server.seen.some(({ route }) => route === "deleteJob")).toBe(true);
  });
});

const REFUSALS = [
  ["ERR-06: 400", "invalid_input", 400, "refused something in the request"],
  ["ERR-11: 415", "no_video_stream", 415, "no picture to describe"],
  ["ERR-16: 403", "video_too_long", 403, "longer than your plan allows"],
  ["ERR-17: 403", "file_too_large", 403, "larger than your plan allows"],
  ["ERR-12 ERR-20: 429", "plan_limit_exceeded", 429, "Your plan’s allowance is used up"],
  ["OPEN-23: 403", "feature_not_available", 403, "plan does not include"],
] as const;

describe("refusals", () => {
  test.each(REFUSALS)(
    "%s %s is told in words of its own, and the same is not offered again",
    async (_row, code, status, sentence) => {
      const panel = await atForm();
      const answer = () => json({ error: code, message: "The reason.", plan_name: "Basic" }, status);
      panel.server.faults.generateAudio = Array.from({ length: 30 }, answer);
      await panel.order();
      await panel.sees(sentence);
      expect(panel.page().find("remedy-resume")).toBeNull();
      expect(panel.server.accepted).toBe(0);
    },
  );

  test.each([
    ["ERR-10 ERR-18: 409", { error: "conflict", code: "upload_not_ready", message: "m" }, 409],
    ["ERR-21: 429", { error: "concurrency_limit_exceeded", message: "m" }, 429],
    ["ERR-22: 429", { error: "queue_limit_exceeded", message: "m" }, 429],
    [
      "ERR-24: 429",
      { error: "rate_limit_exceeded", message: "m", limit: 1, remaining: 0, reset: 0, retry_after: 1 },
      429,
    ],
  ] as const)("%s that passes is waited for, and one job comes of it", async (_row, body, status) => {
    const panel = await atForm();
    panel.server.faults.generateAudio = [json(body, status)];
    await ordered(panel);
    expect(panel.server.accepted).toBe(1);
  });

  test("ERR-13: an unforeseen failure of the service is told as such, and may be tried again by one click", async () => {
    const panel = await atForm();
    panel.server.faults.generateAudio = [json({ error: "internal_error", message: "The reason." }, 500)];
    await panel.order();
    await panel.sees("failed without giving a reason");
    panel.page().click("remedy-resume");
    await panel.sees("2 descriptions");
    expect(panel.server.accepted).toBe(1);
  });

  test("ERR-07: a key that is not accepted leads to where another is entered", async () => {
    const panel = await atForm();
    panel.server.faults.uploadMedia = [json({ error: "unauthorized", message: "Invalid API key." }, 401)];
    await panel.order();
    await panel.sees("does not accept the API key");
    panel.page().click("remedy-connect");
    await panel.otherService();
  });

  test("ERR-09: a job that the service has lost is told as such", async () => {
    const panel = await atForm();
    panel.server.faults.generateAudio = Array.from({ length: 3 }, () =>
      json({ error: "not_found", message: "m" }, 404),
    );
    await panel.order();
    await panel.sees("does not know this video or result");
  });

  test("ERR-28: a voice without the language leads to the choice of voices", async () => {
    const panel = await atForm();
    panel.server.jobEnd = "voice_unavailable";
    await panel.order();
    await panel.sees("voice does not speak the chosen language");
    panel.page().click("remedy-choose-voice");
    await panel.sees("Another voice");
    expect(panel.page().find("voice")).not.toBeNull();
  });

  test("ERR-29: an unforeseen failure of a job is tried again by one click, with the same upload", async () => {
    const panel = await atForm();
    panel.server.jobEnd = "internal_error";
    await panel.order();
    await panel.sees("failed while working on the job");
    panel.server.jobEnd = "done";
    panel.page().click("remedy-resume");
    await panel.sees("2 descriptions");
    expect(panel.server.stored.size).toBe(1);
  });
});
