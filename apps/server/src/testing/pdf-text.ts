/** The text of a PDF as pdfkit writes it, in the order in which it was put on the pages: to read in a test what people read. */
import { inflateSync } from 'node:zlib'

const OBJECT = /(\d+) 0 obj\n([\s\S]*?)\nendobj/g

/** What an object holds besides its dictionary. */
function streamOf(body: string): string {
  const found = /stream\n([\s\S]*)\nendstream/.exec(body)?.[1] ?? ''
  return /\/Filter \/FlateDecode/.test(body)
    ? inflateSync(Buffer.from(found, 'latin1')).toString('latin1')
    : found
}

/** Letters by their glyphs, in the order of the map that a font brings with it. */
function lettersOf(map: string): string[] {
  const letters: string[] = []
  for (const [, first = '0', list = ''] of map.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
    for (const [place, [, code = '']] of [...list.matchAll(/<([\w ]*)>/g)].entries())
      letters[Number.parseInt(first, 16) + place] = Buffer.from(code.replaceAll(' ', ''), 'hex')
        .swap16()
        .toString('utf16le')
  return letters
}

/** One text for each page; what was put there at once is a line. */
export function readPdf(file: Buffer): string[] {
  const objects = new Map(
    [...file.toString('latin1').matchAll(OBJECT)].map(([, id = '', body = '']) => [id, body]),
  )
  const refer = (body: string, name: string) =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '') ?? ''
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(`${body}\n`))
  return pages.map((page) => {
    const resources = refer(page, 'Resources') || page
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [
        name,
        lettersOf(streamOf(refer(objects.get(id) ?? '', 'ToUnicode'))),
      ]),
    )
    let letters: string[] = []
    const lines: string[] = []
    for (const [, font, shown] of streamOf(refer(page, 'Contents')).matchAll(
      /\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g,
    )) {
      if (font !== undefined) letters = fonts.get(font) ?? []
      if (shown === undefined) continue
      const glyphs = [...shown.matchAll(/<(\w*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      lines.push(glyphs.map((glyph) => letters[Number.parseInt(glyph, 16)] ?? '\uFFFD').join(''))
    }
    return lines.join('\n')
  })
}
