import { describe, expect, it } from 'vitest'
import { readExport } from './readExport.ts'

const SHA = 'ab'.repeat(32)
const CSV = `\uFEFFid,name\r\n1,ana\r\n2,luis\r\n#end,rows=2,sha256=${SHA}\r\n`
const JSONL = `{"id":1}\n{"end":{"rows":1,"sha256":"${SHA}"}}\n`

/** As it travels: cut anywhere. */
function sent(text: string, end: 'ends' | 'breaks' = 'ends', piece = 7) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + piece))
      else if (end === 'ends') controller.close()
      else controller.error(new TypeError('network error'))
      at += piece
    },
  })
}

describe('an exported list', () => {
  it('is kept byte for byte where its last line came', async () => {
    const heard: number[] = []
    const read = await readExport(sent(CSV), 'csv', (rows) => heard.push(rows))
    expect(read).toMatchObject({ isWhole: true, rows: 2 })
    const file = read.isWhole ? new Uint8Array(await read.file.arrayBuffer()) : null
    expect(file).toEqual(new TextEncoder().encode(CSV))
    expect(heard).toEqual(heard.toSorted((one, other) => one - other))
    expect(await readExport(sent(JSONL), 'jsonl', () => undefined)).toMatchObject({ isWhole: true, rows: 1 })
  })

  it('is not kept where it was cut: with the connection, or as if it had ended', async () => {
    const half = CSV.slice(0, CSV.indexOf('#end'))
    for (const end of ['ends', 'breaks'] as const)
      expect(await readExport(sent(half, end), 'csv', () => undefined)).toEqual({ isWhole: false, rows: 2 })
    const cut = CSV.slice(0, -20)
    expect(await readExport(sent(cut), 'csv', () => undefined)).toMatchObject({ isWhole: false })
    expect(await readExport(sent(JSONL, 'breaks'), 'jsonl', () => undefined)).toMatchObject({
      isWhole: false,
    })
    expect(await readExport(sent(''), 'csv', () => undefined)).toEqual({ isWhole: false, rows: 0 })
  })
})
