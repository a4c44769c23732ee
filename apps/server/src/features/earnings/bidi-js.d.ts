/** What is used of a package that brings no types. */
declare module 'bidi-js' {
  interface Bidi {
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl' | 'auto'): { levels: Uint8Array }
    getMirroredCharacter(sign: string): string | null
  }
  function bidiFactory(): Bidi
  export = bidiFactory
}
