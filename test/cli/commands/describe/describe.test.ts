import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseFcp7Xml } from "../../../../src/formats/fcp7-xml/read-fcp7-xml.ts";
import { parseOtio } from "../../../../src/formats/otio/read-otio.ts";
import { type HostedServer, json, storageError } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { makeMedia } from "../../../made-media.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { aside, asideHere, hostedService, startAside } from "../../run-aside.ts";

const FILM = sharedMedia("containers/sintel-5s.mp4");
const NAMES = [
  "cues.edl",
  "cues.json",
  "cues.srt",
  "cues.vtt",
  "raw.vtt",
  "record.txt",
  "report.json",
  "timeline.otio",
  "timeline.xml",
];

/** The scripted hosted server on a port, and the command's arguments and environment for it. */
async function hosted() {
  const { server, address, folder, out, env } = await hostedService();
  const args = ["describe", FILM, "--server", address, "--out", out];
  const run = (...more: string[]) => asideHere([...args, ...more], env);
  return { server, address, folder, out, env, args, run };
}

const visible = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();

describe("a whole run against the hosted service", () => {
  test("BASE-06 SIGN-05: writes every file, tells what it found, and ends with 0", async () => {
    const { server, out, run } = await hosted();
    const { code, stdout, stderr } = await run();
    expect(stderr).toContain("Describe: done");
    expect(code).toBe(0);
    expect(await visible(out)).toEqual([...NAMES, "narration.wav"].sort());
    expect(await readFile(join(out, "raw.vtt"), "utf8")).toBe(server.vtt);
    expect(new Uint8Array(await readFile(join(out, "narration.wav")))).toEqual(new Uint8Array(server.wav));
    expect(stdout).toContain("sintel-5s: 2 cues in 5.0 s");
    expect(stdout).toContain("A woman sits at a desk.");
    expect(stdout).toContain(join(out, "timeline.xml"));
  });

  test("what the service did not bring about is a finding, and the exit code says so; what it doubts is one alone", async () => {
    const found = (rule: string, severity: string) => ({
      rule,
      severity,
      message: `${rule}: so it is`,
      said: "A woman sits at a desk.",
    });
    for (const [rule, severity, exit] of [
      ["nothing-told", "fail", 3],
      ["voice-length", "warn", 0],
    ] as const) {
      const { server, out, run } = await hosted();
      server.report = { speech: [], music: [], silence: [], shots: [], notes: [], findings: [found(rule, severity)] };
      const { code, stdout } = await run();
      expect(code).toBe(exit);
      expect(stdout).toContain(`${rule}: so it is`);
      const report = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
      expect(report.findings).toContainEqual(expect.objectContaining({ rule, severity, cueIds: ["cue-0001"] }));
    }
  });

  test("both timelines hold the programme, a marker per cue and the sound on a track of its own", async () => {
    const { out, run } = await hosted();
    await run();
    const otio = parseOtio(await readFile(join(out, "timeline.otio"), "utf8"));
    const xml = parseFcp7Xml(await readFile(join(out, "timeline.xml"), "utf8"));
    for (const { timeline, issues } of [otio, xml]) {
      expect(issues).toEqual([]);
      expect(timeline?.markers.map(({ start, end, comment }) => [start, end, comment.split("\n")[0]])).toEqual([
        [1, 2.5, "A woman sits at a desk."],
        [4, 5, "She opens a letter."],
      ]);
      const names = timeline?.tracks.map(({ kind, name }) => [kind, name]);
      expect(names?.at(-1)).toEqual(["audio", "Audio description"]);
      const sound = timeline?.tracks.at(-1)?.clips[0];
      expect(sound).toMatchObject({ start: 0, end: 5, source: { kind: "media", audioChannels: 2 } });
      expect(sound?.source).toHaveProperty("location", expect.stringMatching(/out\/narration\.wav$/));
      expect(timeline?.tracks[0]?.clips[0]?.source).toHaveProperty(
        "location",
        expect.stringMatching(/sintel-5s\.mp4$/),
      );
    }
  });

  test("--json prints the report and nothing else on standard output, and shows no progress", async () => {
    const { out, run } = await hosted();
    const { code, stdout, stderr } = await run("--json");
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      generator: "aside",
      folder: out,
      job_id: expect.stringMatching(/^task_/),
      programme: { name: "sintel-5s", duration_seconds: 5, frame_rate: "24/1" },
      settings: { language: "en-US", track: "ad_only", format: "vtt" },
      cues: [{ text: "A woman sits at a desk." }, { text: "She opens a letter." }],
      step_seconds: { upload: expect.any(Number), wait: expect.any(Number) },
    });
    const { folder: _folder, ...written } = report;
    expect(JSON.parse(await readFile(join(out, "report.json"), "utf8"))).toEqual(written);
  });

  test("a line of a script that the service does not say is a finding with its ways out, and the exit code says so", async () => {
    const { folder, out, run } = await hosted();
    const script = join(folder, "mine.vtt");
    const lines = [
      "00:01.000 --> 00:02.500\nA woman sits at a desk.",
      "00:03.000 --> 00:03.500\nShe sighs, and waits.",
    ];
    await writeFile(script, `WEBVTT\n\n${lines.join("\n\n")}\n\n00:xx --> 00:05.000\nLost words.\n`);
    const { code, stdout } = await run("--script", script);
    expect(code).toBe(3);
    expect(stdout).toContain("Script: 2 lines: 1 as written, 0 moved, 1 left out.");
    const report = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expect(report.script).toMatchObject({
      counts: { given: 2, as_written: 1, moved: 0, left_out: 1 },
      left_out: [{ timecode: "00:00:03:00", text: "She sighs, and waits.", needed_seconds: expect.any(Number) }],
    });
    const kinds = report.script.left_out[0].ways_out.map(({ kind }: { kind: string }) => kind);
    expect(kinds.sort()).toEqual(["duck", "extended", "faster", "move", "shorten"]);
    expect(report.findings.map(({ rule }: { rule: string }) => rule)).toEqual(
      expect.arrayContaining(["script-left-out", "script-unread"]),
    );
    // The delivery tells of it as well.
    const delivery = join(folder, "delivery");
    const delivered = await asideHere(["deliver", join(out, "cues.vtt"), "--out", delivery]);
    expect(delivered.code, delivered.stderr).toBe(0);
    const manifest = JSON.parse(await readFile(join(delivery, "manifest.json"), "utf8"));
    expect(manifest.script).toEqual(report.script);
  });

  test("sends every setting it is given", async () => {
    const { server, folder, run } = await hosted();
    const captions = join(folder, "lines.srt");
    const script = join(folder, "mine.vtt");
    await writeFile(captions, "1\n00:00:00,000 --> 00:00:00,500\nHello.\n");
    await writeFile(script, "WEBVTT\n\n00:01.000 --> 00:02.000\nMine.\n");
    server.vtt = await readFile(script, "utf8");
    const { code } = await run(
      ...["--text", "edl", "--track", "mixed", "--language", "de-DE", "--voice", "Kore", "--category", "documentary"],
      ...["--instructions", "Name no brands.", "--captions", captions, "--script", script, "--min-cue-length", "1.5"],
      ...["--no-auto-fit", "--no-over-music", "--volume", "max", "--volume-level-db", "-6"],
    );
    expect(code).toBe(0);
    expect(server.bodies("generateAudio")[0]).toMatchObject({
      generation_config: {
        format: "edl",
        language: "de-DE",
        voice: "Kore",
        video_category: "Documentary",
        custom_instructions: "Name no brands.",
        custom_captions: { content: await readFile(captions, "utf8"), format: "srt", filename: "lines.srt" },
        description_content: await readFile(script, "utf8"),
        standard_ad_min_cue_length: 1.5,
        auto_fit: false,
        allow_descriptions_over_music: false,
        volume_option: "max",
        volume_level_db: -6,
        audio_track_type: "mixed",
      },
    });
  });

  test("--track none asks for text alone and writes no sound", async () => {
    const { server, out, run } = await hosted();
    expect((await run("--track", "none", "--text", "json")).code).toBe(0);
    expect(server.bodies("generateText")).toHaveLength(1);
    expect(await visible(out)).toEqual([...NAMES.filter((name) => name !== "raw.vtt"), "raw.json"].sort());
    const { timeline } = parseOtio(await readFile(join(out, "timeline.otio"), "utf8"));
    expect(timeline?.tracks.map(({ name }) => name)).not.toContain("Audio description");
  });

  test("keeps the key, addresses and folders out of everything it writes", async () => {
    const { server, out, run } = await hosted();
    const { stdout, stderr } = await run();
    const texts = await Promise.all(
      (await visible(out)).filter((name) => !name.endsWith(".wav")).map((name) => readFile(join(out, name), "utf8")),
    );
    for (const text of [stdout, stderr, ...texts]) {
      expect(text).not.toContain(server.key);
      expect(text).not.toContain("X-Goog-Signature");
    }
    expect(await readFile(join(out, "report.json"), "utf8")).not.toContain(out);
  });
});

describe("the results folder", () => {
  test("one of ours is updated, and what belongs to the older result goes", async () => {
    const { server, out, run } = await hosted();
    await run();
    server.vtt = server.vtt.replace("a letter", "the window");
    expect((await run("--track", "mixed", "--text", "edl")).code).toBe(0);
    expect(await visible(out)).toEqual([...NAMES.filter((name) => name !== "raw.vtt"), "mixed.wav", "raw.vtt"].sort());
    expect(await readFile(join(out, "cues.vtt"), "utf8")).toContain("She opens the window.");
  });

  test.each(["cues.vtt", "narration.wav", "report.json", "timeline.xml"])(
    "a foreign %s is not touched, and nothing is sent",
    async (name) => {
      const { server, out, run } = await hosted();
      await mkdir(out);
      await writeFile(join(out, name), "somebody's");
      const { code, stderr } = await run();
      expect(code).toBe(1);
      expect(stderr).toContain("(file_in_the_way)");
      expect(stderr).toContain("--force");
      expect(await readFile(join(out, name), "utf8")).toBe("somebody's");
      expect(await readdir(out)).toEqual([name]);
      expect(server.seen).toEqual([]);
    },
  );

  test("--force overwrites it", async () => {
    const { out, run } = await hosted();
    await mkdir(out);
    await writeFile(join(out, "cues.vtt"), "somebody's");
    expect((await run("--force")).code).toBe(0);
    expect(await readFile(join(out, "cues.vtt"), "utf8")).toMatch(/^WEBVTT/);
  });

  test("a result that somebody worked on is kept aside, whole, and the summary says where", async () => {
    const { out, run } = await hosted();
    await run();
    const before = await visible(out);
    const timeline = await readFile(join(out, "timeline.otio"), "utf8");
    await writeFile(join(out, "cues.srt"), "corrected by hand");
    const { code, stdout } = await run();
    expect(code).toBe(0);
    const [kept = ""] = await readdir(join(out, "earlier"));
    expect(stdout).toContain(`kept in "earlier/${kept}"`);
    expect(await visible(join(out, "earlier", kept))).toEqual(before);
    expect(await readFile(join(out, "earlier", kept, "cues.srt"), "utf8")).toBe("corrected by hand");
    expect(await readFile(join(out, "earlier", kept, "timeline.otio"), "utf8")).toBe(timeline);
    expect(await visible(out)).toEqual([...before, "earlier"].sort());
    // Nobody touched the new one: another takes its place.
    await run();
    expect(await readdir(join(out, "earlier"))).toEqual([kept]);
  });

  test("the result of another cut is kept aside", async () => {
    const { folder, out, run, args, env } = await hosted();
    await run();
    const other = join(folder, "other.mp4");
    makeMedia(other, [{ graph: "color=red:size=160x90:rate=25:duration=5", codec: "libx264" }]);
    const { code, stdout } = await asideHere(["describe", other, ...args.slice(2)], env);
    expect(code).toBe(0);
    const [kept = ""] = await readdir(join(out, "earlier"));
    expect(stdout).toContain(`kept in "earlier/${kept}"`);
    expect(await readFile(join(out, "earlier", kept, "timeline.otio"), "utf8")).toContain("sintel-5s");
  });

  test("other files in it stay", async () => {
    const { out, run } = await hosted();
    await mkdir(out);
    await writeFile(join(out, "notes.txt"), "mine");
    expect((await run()).code).toBe(0);
    expect(await readFile(join(out, "notes.txt"), "utf8")).toBe("mine");
  });

  test("a file or a folder in its place is in the way", async () => {
    const { folder, out, run, args, env } = await hosted();
    await writeFile(out, "a file");
    expect((await run()).stderr).toContain("(file_in_the_way)");
    const other = join(folder, "other");
    await mkdir(join(other, "cues.vtt"), { recursive: true });
    const { code, stderr } = await asideHere([...args.slice(0, -1), other, "--force"], env);
    expect(code).toBe(1);
    expect(stderr).toContain("(file_in_the_way)");
  });

  thoroughTest("two runs into one folder: the second says so and harms nothing", async () => {
    const { server, run, args, env, out } = await hosted();
    server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const first = startAside(args, { env });
    await first.shows(/Describe \.\.\./);
    const second = await run();
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("(folder_in_use)");
    server.jobStates = [];
    expect((await first.ended).code).toBe(0);
    expect(await visible(out)).toContain("report.json");
  });
});

describe("faults end in a code, a sentence and exit code 1, with nothing half-written", () => {
  test.each<[string, (server: HostedServer) => void, string]>([
    [
      "a wrong key",
      (server) => {
        server.faults.uploadMedia = [json({ error: "unauthorized", message: "no" }, 401)];
      },
      "unauthorized",
    ],
    [
      "a reply that is not JSON",
      (server) => {
        server.faults.uploadMedia = Array.from({ length: 4 }, () => ({
          status: 200,
          type: "text/html",
          body: "<html>Sign in",
        }));
      },
      "reply_unreadable",
    ],
    [
      "a spent plan",
      (server) => {
        server.faults.generateAudio = [json({ error: "plan_limit_exceeded", message: "spent" }, 429)];
      },
      "plan_limit_exceeded",
    ],
    [
      "a lost answer",
      (server) => {
        server.faults.generateAudio = ["break"];
      },
      "submission_unknown",
    ],
    [
      "no pause",
      (server) => {
        server.jobEnd = "standard_ad_not_enough_gaps";
      },
      "standard_ad_not_enough_gaps",
    ],
    [
      "an unknown failure",
      (server) => {
        server.jobEnd = "brand_new";
      },
      "internal_error",
    ],
    [
      "expired links",
      (server) => {
        server.faults.get = [storageError("ExpiredToken"), storageError("ExpiredToken")];
      },
      "result_unavailable",
    ],
    [
      "a page in place of the sound",
      (server) => {
        server.wav = Buffer.from("<html>");
      },
      "result_damaged",
    ],
  ])("%s", async (_name, prepare, code) => {
    const { server, out, run } = await hosted();
    prepare(server);
    const ended = await run("--json");
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`^aside: [A-Z].*\\(${code}\\)\n`));
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code, message: expect.stringMatching(/^[A-Z].*\.$/) } });
    expect(await visible(out).catch(() => [])).toEqual([]);
  });

  thoroughTest("a dead server", async () => {
    const { folder } = await hosted();
    const out = join(folder, "dead");
    const args = ["describe", FILM, "--server", "http://127.0.0.1:9", "--out", out];
    const { code, stderr } = await asideHere(args, { ASIDE_API_KEY: "k" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be reached.*\(connection_failed\)/);
    await expect(readdir(out)).rejects.toMatchObject({ code: "ENOENT" });
  });

  thoroughTest("a full disk", async () => {
    const { server, out, args, env } = await hosted();
    server.wav = silentWav(120);
    // No file may grow beyond 8 MB here; the system then answers as a full disk does.
    const shell = 'trap "" XFSZ; ulimit -f 8192; "$@"';
    const { code, stderr } = await aside(args, { env, shell });
    expect(stderr).toContain("(disk_full)");
    expect(code).toBe(1);
    expect(await visible(out)).toEqual([]);
    expect((await asideHere(args, env)).code).toBe(0);
    expect(server.accepted).toBe(1);
  });

  test.each([
    ["WrongFile.mp4", "no_video_stream"],
    ["broken.mp4", "no_video_stream"],
    ["empty.flv", "no_video_stream"],
    ["nostreams.mp4", "no_video_stream"],
    ["video_without_video_stream.mp4", "no_video_stream"],
    ["mute-60s-audio-only.mp4", "no_video_stream"],
    ["does-not-exist.mp4", "file_not_found"],
  ])("bad media: %s", async (name, code) => {
    const { server, folder, args, env } = await hosted();
    const out = join(folder, "bad");
    const ended = await asideHere(
      ["describe", sharedMedia(`negative/${name}`), ...args.slice(2, 4), "--out", out],
      env,
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`(${code})`);
    await expect(readdir(out)).rejects.toMatchObject({ code: "ENOENT" });
    expect(server.seen).toEqual([]);
  });

  test.each([
    ["captions", "--captions", "captions_unreadable"],
    ["a script", "--script", "script_unreadable"],
  ])("%s that cannot be read", async (_name, option, code) => {
    const { server, folder, run } = await hosted();
    const file = join(folder, "odd.txt");
    await writeFile(file, Buffer.from([0, 1, 2, 255, 254]));
    const ended = await run(option, file);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`(${code})`);
    expect((await run(option, join(folder, "no.vtt"))).stderr).toContain("(file_not_found)");
    expect(server.seen).toEqual([]);
  });
});

describe("an end in the middle", () => {
  thoroughTest(
    "Ctrl-C ends at once with 130 and says what goes on there; the same command goes on with the same job",
    async () => {
      const { server, args, env, run, out } = await hosted();
      server.jobStates = Array.from({ length: 1000 }, () => "processing");
      const running = startAside(args, { env });
      await running.shows(/Describe \.\.\./);
      const begun = performance.now();
      running.process.kill("SIGINT");
      const { code, stderr } = await running.ended;
      // One that is asked to stop its job has seven seconds to answer.
      expect(performance.now() - begun).toBeLessThan(5_000);
      expect(code).toBe(130);
      const told = "This service cannot stop a job. It continues there and may be charged.";
      expect(stderr).toMatch(new RegExp(`Stopped waiting\\. Job \\S+ is still running on 127\\S+ ${told}\n.*fetch`));
      expect(await visible(out)).toEqual([]);
      server.jobStates = [];
      expect((await run()).code).toBe(0);
      expect(server.accepted).toBe(1);
      expect(server.stored.size).toBe(1);
    },
  );

  thoroughTest("cancelled with --json, it says so in JSON", async () => {
    const { server, args, env } = await hosted();
    server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const running = startAside([...args, "--json"], { env });
    await expect.poll(() => server.seen.some(({ route }) => route === "getResults")).toBe(true);
    running.process.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "cancelled" } });
  });

  test("killed outright, it goes on with the same job, without a second request", async () => {
    const { server, args, env, run, out } = await hosted();
    server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const running = startAside(args, { env });
    await running.shows(/Describe \.\.\./);
    await expect.poll(() => server.seen.some(({ route }) => route === "getResults")).toBe(true);
    running.process.kill("SIGKILL");
    await running.ended;
    expect(await visible(out)).toEqual([]);
    server.jobStates = [];
    const { code, stderr } = await run();
    expect(code).toBe(0);
    expect(stderr).not.toContain("Upload ...");
    expect(server.accepted).toBe(1);
    expect(await readdir(join(out, ".aside"))).toEqual(expect.not.arrayContaining([expect.stringMatching(/^run-/)]));
  });

  thoroughTest("started by an older Node, Ctrl-C and an outright kill reach the run all the same", async () => {
    const { server, args, env, run } = await hosted();
    server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const cancelled = startAside(args, { env, isOldNode: true });
    await cancelled.shows(/Describe \.\.\./);
    cancelled.process.kill("SIGINT");
    expect(await cancelled.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Stopped waiting.") });
    const killed = startAside(args, { env, isOldNode: true });
    await killed.shows(/Describe \.\.\./);
    killed.process.kill("SIGKILL");
    // The output closes when the run itself has ended too, and with it its hold on the folder.
    await killed.ended;
    server.jobStates = [];
    expect((await run()).code).toBe(0);
    expect(server.accepted).toBe(1);
  });

  test("a request whose answer was lost is sent again with --resend only", async () => {
    const { server, run } = await hosted();
    server.faults.generateAudio = ["break"];
    expect((await run()).stderr).toContain("--resend");
    expect((await run()).stderr).toContain("(submission_unknown)");
    expect(server.accepted).toBe(0);
    expect((await run("--resend")).code).toBe(0);
    expect(server.accepted).toBe(1);
  });

  test("other settings are another run", async () => {
    const { server, run } = await hosted();
    server.faults.get = [storageError("ExpiredToken"), storageError("ExpiredToken")];
    expect((await run()).code).toBe(1);
    expect((await run("--language", "fr-FR")).code).toBe(0);
    expect(server.accepted).toBe(2);
    expect((await run()).code).toBe(0);
    expect(server.accepted).toBe(2);
  });
});
