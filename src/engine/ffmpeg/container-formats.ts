/**
 * Containers that FFmpeg may open, by the names of its demuxers.
 *
 * Everything else is refused before it is parsed: FFmpeg recognises files by content, so a playlist, a concat script or a
 * scene description named `.mp4` would otherwise be followed to other files of this machine (measured: an HLS playlist
 * named `.mp4` was opened and reported another local file's duration as its own; restricting protocols does not stop it).
 * Only formats that hold their own media stand here; none of them reads a second file.
 */
const CONTAINER_FORMATS = [
  "mov,mp4,m4a,3gp,3g2,mj2",
  "matroska,webm",
  "avi",
  "mpegts",
  "mpeg",
  "mxf",
  "mxf_opatom",
  "gxf",
  "dv",
  "flv",
  "asf",
  "ogg",
  "wav",
  "w64",
  "aiff",
  "caf",
  "flac",
  "mp3",
  "aac",
  "ac3",
  "eac3",
] as const;

/** The allow-list as FFmpeg's `format_whitelist` option wants it. */
export const FORMAT_WHITELIST = CONTAINER_FORMATS.join(",");

/** Pictures without a time of their own, by the names of FFmpeg's demuxers; each reads one file and no other. */
const STILL_FORMATS = [
  "png_pipe",
  "jpeg_pipe",
  "tiff_pipe",
  "bmp_pipe",
  "gif_pipe",
  "gif",
  "psd_pipe",
  "exr_pipe",
  "dpx_pipe",
  "webp_pipe",
] as const;

/** The allow-list for stills, as FFmpeg's `format_whitelist` option wants it. */
export const STILL_WHITELIST = STILL_FORMATS.join(",");
