import { readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedMedia } from "../shared-media.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { aside, asideHere } from "./run-aside.ts";

const FILM = sharedMedia("containers/sintel-5s.mp4");
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe("help and version", () => {
  test("--version says the version of the package, in a process of its own and in this one alike", async () => {
    const said = { code: 0, stdout: `aside ${version}\n`, stderr: "" };
    expect(await aside(["--version"])).toEqual(said);
    expect(await asideHere(["--version"])).toEqual(said);
    expect((await aside(["paint"])).code).toBe(2);
  });

  test("--help lists the commands; each command has a help of its own", async () => {
    const { code, stdout, stderr } = await asideHere(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const [, name] of stdout.matchAll(/^ {2}([a-z]+) /gm)) {
      const help = await asideHere([name ?? "", "--help"]);
      expect(help.code).toBe(0);
      expect(help.stdout).toMatch(new RegExp(`^Usage: aside ${name} `));
    }
    expect(stdout).toMatch(/^ {2}describe /m);
  });
});

describe("wrong usage ends with 2, says what is wrong, and does nothing", () => {
  test.each<[string[], RegExp]>([
    [[], /^$/],
    [["paint"], /there is no command "paint"\. See/],
    [["descrbe"], /there is no command "descrbe"\. Did you mean "describe"\?/],
    [["describe", FILM, "--langauge", "de-DE"], /Unknown option '--langauge'\. Did you mean "--language"\?/],
    [["describe", FILM, "--language", "de-D"], /--language: there is no "de-D"\. Did you mean "de-DE"\?/],
    [["describe", FILM, "--voice", "Bob"], /--voice: there is no "Bob"\. See "aside voices"/],
    [["revoice", ".", "--voice", "Bob"], /--voice: there is no "Bob"\. See "aside voices"/],
    [["describe", "."], /<media>: ".*" is a folder; name a video or a timeline/],
    [["describe"], /name one media file/],
    [["describe", FILM, FILM], /name one media file/],
    [["describe", FILM, "--no-such"], /Unknown option '--no-such'/],
    [["describe", FILM, "--text", "txt"], /--text cannot be "txt".*"vtt", "srt", "json", "edl"/],
    [["describe", FILM, "--track", "stem"], /--track cannot be "stem"/],
    [["describe", FILM, "--category", "Sports"], /--category cannot be "Sports"/],
    [["describe", FILM, "--min-cue-length", "0.7"], /from 0.75 to 5, not "0.7"/],
    [["describe", FILM, "--min-cue-length", "long"], /must be a number/],
    [["describe", FILM, "--volume", "loud"], /--volume cannot be "loud"/],
    [["describe", FILM, "--volume", "max", "--volume-level-db", "-11"], /from -10 to 0, not "-11"/],
    [["describe", FILM, "--volume-level-db", "-3"], /only together with --volume max/],
    [["describe", FILM, "--out"], /--out/],
    [["describe", FILM, "--out", ""], /--out is empty/],
    [["describe", FILM, "--server", "http://127.0.0.1:9"], /ASIDE_API_KEY/],
    [["serve", "film.mp4"], /takes no "film.mp4"/],
    [["serve", "--port", "eighty"], /--port must be a number/],
    [["serve", "--port", "70000"], /--port must be a number/],
  ])("%j", async (args, reason) => {
    const { code, stderr, stdout } = await asideHere(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
    if (args.length > 0) expect(stdout).toBe("");
  });

  test("an address or a key that cannot be used", async () => {
    const folder = await temporaryFolder();
    const args = ["describe", FILM, "--out", join(folder, "out"), "--server"];
    const address = await asideHere([...args, "ftp://example.org"], { ASIDE_API_KEY: "k" });
    expect(address).toMatchObject({ code: 2, stderr: expect.stringContaining("must look like https://host") });
    const key = await asideHere([...args, "http://127.0.0.1:9"], { ASIDE_API_KEY: "kö\u0142" });
    expect(key).toMatchObject({ code: 2, stderr: expect.stringContaining("no HTTP header can carry") });
    const both = await asideHere([...args, "http://127.0.0.1:9", "--data", folder], { ASIDE_API_KEY: "k" });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("--data belongs to the embedded service") });
    expect(await readdir(folder)).toEqual([]);
  });

  test("with --json, it says so in JSON", async () => {
    const { code, stdout } = await asideHere(["describe", FILM, "--text", "txt", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "usage" } });
  });

  test("there is no option for a key, and no key in what is said", async () => {
    const { code, stderr } = await asideHere(["describe", FILM, "--api-key", "secret-key"]);
    expect(code).toBe(2);
    expect(stderr).not.toContain("secret-key");
  });
});

test("a reader that goes away ends nothing badly", async () => {
  const { code } = await aside(["--help"], { shell: 'set -o pipefail; "$@" | head -c 1 > /dev/null' });
  expect(code).toBe(0);
});

test("a caption file in an older encoding is read", async () => {
  const folder = await temporaryFolder();
  const captions = join(folder, "alt.srt");
  await writeFile(
    captions,
    Buffer.from(
      "1\n00:00:00,000 --> 00:00:01,000\nGr\xfc\xdfe aus dem S\xfcden, die Sonne scheint \xfcber dem Hafen.\n",
      "latin1",
    ),
  );
  const args = [
    "describe",
    FILM,
    "--out",
    join(folder, "out"),
    "--captions",
    captions,
    "--server",
    "http://127.0.0.1:9",
  ];
  const { stderr } = await asideHere(args, { ASIDE_API_KEY: "k" });
  expect(stderr).toContain("(connection_failed)");
  expect(stderr).toContain("(--encoding names another)");
});
