import { describe, expect, test } from "vitest";
import { readMedia, readSignedUpload, readVerification } from "../../src/client/reply.ts";

const ID = "550e8400-e29b-41d4-a716-446655440000";

describe("media", () => {
  test.each([
    [{ duration_seconds: 45.5, frame_rate: 30 }, 45.5, 30],
    [{ duration_seconds: null, frame_rate: null }, null, null],
    [{}, null, null],
    [{ duration_seconds: "2", frame_rate: "29.97" }, 2, 29.97],
    [{ duration_seconds: "long", frame_rate: [] }, null, null],
  ])("MEDIA-05 MEDIA-06 SIGN-04 URL-04: accepts %j for length and rate", (fields, durationSeconds, frameRate) => {
    expect(readMedia({ media_id: ID, status: "created", ...fields })).toEqual({
      mediaId: ID,
      status: "created",
      durationSeconds,
      frameRate,
    });
  });

  test.each(["created", "existing", "pending_upload"])("MEDIA-02 URL-05: keeps the status %s", (status) => {
    expect(readMedia({ media_id: ID, status })?.status).toBe(status);
  });

  test("MEDIA-01: is nothing without an id", () => {
    expect(readMedia({ status: "created" })).toBeNull();
  });
});

describe("a signed upload", () => {
  const reply = { media_id: ID, status: "pending_upload", upload_url: "https://s/x?sig", gcs_path: "users/1/a.mp4" };

  test("SIGN-02 SIGN-03 OPEN-01: gives address, storage path and content type", () => {
    expect(readSignedUpload({ ...reply, content_type: "video/quicktime" }, "video/mp4")).toMatchObject({
      uploadUrl: "https://s/x?sig",
      storagePath: "users/1/a.mp4",
      contentType: "video/quicktime",
    });
  });

  test("SIGN-03: falls back to the content type that was asked for", () => {
    expect(readSignedUpload(reply, "video/mp4")?.contentType).toBe("video/mp4");
  });

  test.each(["media_id", "upload_url", "gcs_path"])("is nothing without %s", (name) => {
    expect(readSignedUpload({ ...reply, [name]: undefined }, "video/mp4")).toBeNull();
  });
});

describe("an upload's verification", () => {
  test.each([
    ["completed", "ready"],
    ["COMPLETED", "ready"],
    ["processing", "verifying"],
    ["pending_upload", "verifying"],
    ["weird", "verifying"],
    ["failed", "failed"],
    ["verification_error", "failed"],
    ["rejected", "failed"],
  ])("OPEN-06: %s means %s", (upload_status, outcome) => {
    expect(readVerification({ media_id: ID, upload_status }, ID).outcome).toBe(outcome);
  });

  test("is still going on when the reply does not say", () => {
    expect(readVerification({}, ID)).toMatchObject({ outcome: "verifying", mediaId: ID });
  });

  test("OPEN-10: hands on the canonical id where there is one", () => {
    const canonical = "11111111-2222-4333-8444-555555555555";
    const state = readVerification({ media_id: ID, upload_status: "completed", canonical_media_id: canonical }, ID);
    expect(state.mediaId).toBe(canonical);
    expect(readVerification({ upload_status: "completed", canonical_media_id: null }, ID).mediaId).toBe(ID);
  });
});
