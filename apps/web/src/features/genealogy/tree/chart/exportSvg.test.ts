import { describe, expect, it } from 'vitest'
import { treeNode } from '../../../../testing/figures.ts'
import { Plot } from '../plot.ts'
import type { CardTexts } from './cards.ts'
import { escaped, svgOf } from './exportSvg.ts'

const TEXTS: CardTexts = {
  noName: 'No first name',
  invite: 'Invite',
  vacant: (leg) => `None ${leg}`,
  more: () => '5 more',
  all: (missing) => `All ${missing}`,
  amount: (amount) => `${amount} USD`,
  count: String,
  who: () => 'somebody',
  state: (isActive) => (isActive ? 'active' : 'inactive'),
}

const member = treeNode(1, 0, {
  username: 'ana',
  name: '<Ana & "co">',
  plan_name: '10.00',
  is_master_code: true,
})

describe('the picture to keep', () => {
  it('has every card, the vacant places and the amounts', () => {
    const plot = new Plot('binary', [member])
    plot.begin(null)
    const { svg, width, height } = svgOf(plot, TEXTS) ?? { svg: '', width: 0, height: 0 }
    expect([width, height]).toEqual([464 + 80, 270 + 80])
    expect(svg.match(/<rect/g)?.length).toBe(4)
    for (const text of ['10.00 USD', 'None L', 'None R', '#e49e3d', '&lt;Ana &amp; &quot;co&quot;&gt;'])
      expect(svg).toContain(text)
    expect(svg).not.toContain('<Ana')
  })

  it('says so where somebody has no name', () => {
    const nameless = new Plot('unilevel', [{ ...member, name: '' }])
    nameless.begin(null)
    expect(svgOf(nameless, TEXTS)?.svg).toContain('No first name')
  })

  it('has the words of a vacant place where the username is None', () => {
    const nobody = treeNode(2, 1, { username: 'None', leg: 'L' })
    const top = { ...member, children_count: 1 }
    for (const [view, words] of [
      ['binary', 'None L'],
      ['unilevel', 'None null'],
    ] as const) {
      const plot = new Plot(view, [top, nobody])
      plot.begin(null)
      expect(svgOf(plot, TEXTS)?.svg).toContain(words)
    }
  })

  it('is none where there is nobody', () => {
    expect(svgOf(new Plot('unilevel', []), TEXTS)).toBeNull()
  })

  it('leaves out what no file of its kind may hold', () => {
    expect(escaped('a\u0000b\u0008\ud800c<')).toBe('abc&lt;')
  })
})
