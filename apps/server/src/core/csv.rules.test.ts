import { expect, it } from 'vitest'
import { csvLine } from './csv.rules.ts'

it.each([
  [['a', 'b'], 'a,b\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [['-12.50', '3.00'], '-12.50,3.00\r\n'],
  [['=HYPERLINK("x")', '+1+1', '@cmd', '-2+3'], `"'=HYPERLINK(""x"")",'+1+1,'@cmd,'-2+3\r\n`],
])('writes %j as one line that no spreadsheet takes for a formula', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
