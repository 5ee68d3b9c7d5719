/** Documents that are written for Word and Excel. */
export const OFFICE_FORMATS = ["docx", "xlsx"] as const;

/** One of {@link OFFICE_FORMATS}. */
export type OfficeFormat = (typeof OFFICE_FORMATS)[number];

/** Whether a name is one of {@link OFFICE_FORMATS}. */
export function isOfficeFormat(name: string): name is OfficeFormat {
  return OFFICE_FORMATS.some((format) => format === name);
}
