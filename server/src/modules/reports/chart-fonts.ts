import { fileURLToPath } from 'node:url';

/** Paths of the fonts that pictures are written in: a server may have none of its own. */
export const chartFonts = {
  regular: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  ),
  bold: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  ),
} as const;
