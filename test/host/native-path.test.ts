import { describe, expect, test } from "vitest";
import { folderOf, isSamePath, plainPath } from "../../src/host/files.ts";

describe("native paths", () => {
  test.each([
    ["\\\\?\\C:\\Films\\a.wav", "C:\\Films\\a.wav"],
    ["\\\\?\\UNC\\nas\\films\\a.wav", "\\\\nas\\films\\a.wav"],
    ["\\\\nas\\films\\a.wav", "\\\\nas\\films\\a.wav"],
    ["/Users/kim/a.wav", "/Users/kim/a.wav"],
  ])("%s without its prefix is %s", (path, plain) => {
    expect(plainPath(path)).toBe(plain);
  });

  test.each([
    ["\\\\?\\C:\\Films\\A.wav", "c:\\films\\a.WAV"],
    ["\\\\?\\UNC\\NAS\\films\\a.wav", "\\\\nas\\films\\a.wav"],
    ["C:/Films/a.wav", "C:\\Films\\a.wav"],
    ["/Films/Ä.wav", "/Films/Ä.wav".normalize("NFD")],
  ])("%s is the same file as %s", (a, b) => {
    expect(isSamePath(a, b)).toBe(true);
  });

  test.each([
    ["/Films/A.wav", "/Films/a.wav"],
    ["C:\\Films\\a.wav", "D:\\Films\\a.wav"],
  ])("%s is another file than %s", (a, b) => {
    expect(isSamePath(a, b)).toBe(false);
  });

  test("a file's folder, where it lies on this computer", () => {
    expect(folderOf("\\\\?\\C:\\Films\\Harbour.prproj")).toBe("C:\\Films");
    expect(folderOf("\\\\?\\UNC\\nas\\films\\Harbour.prproj")).toBe("\\\\nas\\films");
    expect(folderOf("/projects/Harbour.prproj")).toBe("/projects");
    expect([folderOf(""), folderOf("cloud://x/Harbour")]).toEqual([null, null]);
  });
});
