import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { installationNotices, licenceOfFfmpeg, productionPackages } from "../../../tools/build/notices.ts";

const ROOT = new URL("../../../", import.meta.url);
const locked: Record<string, { version?: string; dev?: boolean; link?: boolean }> = JSON.parse(
  readFileSync(new URL("package-lock.json", ROOT), "utf8"),
).packages;
const manifest: { dependencies: object; optionalDependencies: object } = JSON.parse(
  readFileSync(new URL("package.json", ROOT), "utf8"),
);

test("every package that is passed on is named with its version and licence", async () => {
  const notices = await installationNotices();
  for (const [path, { version, dev, link }] of Object.entries(locked)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (name !== "" && dev !== true && link !== true) expect(notices).toContain(`\n${name} ${version}: `);
  }
  const names = new Set((await productionPackages()).map(({ name }) => name));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    expect(names).toContain(name);
  }
  for (const name of ["vitest", "aside-test-engines", "@fugood/node-llama-linux-x64"])
    expect(names).not.toContain(name);
});

test("FFmpeg and eSpeak NG are named with the GPL, its text, and where their source may be had", async () => {
  const notices = await installationNotices();
  const named = /^@seydx\/node-av-\S+ \S+: MIT\n +FFmpeg \S+ inside: GNU General Public License, version 3 or later/m;
  expect(notices).toMatch(named);
  expect(notices).toContain("https://github.com/jellyfin/jellyfin-ffmpeg");
  expect(notices).toContain("--enable-gpl --enable-version3");
  expect(notices).toMatch(
    /^@echogarden\/espeak-ng-emscripten \S+: GPL-3\.0\n +eSpeak NG inside: GNU General Public License/m,
  );
  expect(notices).toContain("6. Conveying Non-Source Forms.");
  for (const word of ["Tesseract", "PostgreSQL License", "Apache License", "libfdk-aac"])
    expect(notices).toContain(word);
});

test("the licence of FFmpeg follows from how it was configured", () => {
  expect(licenceOfFfmpeg("--enable-gpl --enable-version3")).toBe("GNU General Public License, version 3 or later");
  expect(licenceOfFfmpeg("--enable-gpl")).toBe("GNU General Public License, version 2 or later");
  expect(licenceOfFfmpeg("--enable-version3")).toBe("GNU Lesser General Public License, version 3 or later");
  expect(licenceOfFfmpeg("")).toBe("GNU Lesser General Public License, version 2.1 or later");
  expect(licenceOfFfmpeg("--enable-gpl --enable-nonfree")).toContain("none");
});

test("the notices go with the container", () => {
  expect(readFileSync(new URL("tools/deploy/Containerfile", ROOT), "utf8")).toMatch(
    /^RUN node tools\/build\/notices\.ts NOTICES\.txt$/m,
  );
});
