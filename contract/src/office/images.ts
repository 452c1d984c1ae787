import * as z from 'zod/mini';

/** What an office shows of itself: the logo in the bar at the top, and the photograph behind the sign-in form. */
export const imageKinds = ['logo', 'background'] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The most that an image has, in bytes. */
export const mostImageBytes = {
  logo: 256 * 1024,
  background: 2 * 1024 * 1024,
} as const satisfies Readonly<Record<ImageKind, number>>;

export const ImageParams = z.object({ kind: z.enum(imageKinds) });

/** Refused where the image is not at this address any more. */
export const ImageUndo = z.strictObject({ from: z.nullable(z.string().check(z.maxLength(300))) });

export const ImagesAnswer = z.object({
  images: z.array(
    z.object({
      kind: z.enum(imageKinds),
      /** Its path on the office's host, another after each change; null without one. */
      address: z.nullable(z.string()),
      /** What undoing the last change would do; null where there is none that can be undone. */
      undo: z.nullable(z.enum(['restore', 'remove'])),
    }),
  ),
});
