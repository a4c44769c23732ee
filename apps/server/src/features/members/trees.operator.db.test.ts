/** Both trees below a member, as operators read them. */
import { expect, it } from 'vitest'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { join, PROBLEM } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server } = money
const ana = await join(server, { username: 'anita' }, server.rootId, money.now)
const luis = await join(server, { username: 'luis' }, ana, money.now)
const eva = await join(server, { username: 'eva' }, luis, money.now)
const aside = await join(server, { username: 'aside' }, server.rootId, money.now)
const operator = await money.client(await money.operator())
const own = await money.client(ana)
const node = (id: bigint) => `O-${id}`
const read = (path: string, who = operator) => who.get(`operator/members/${path}`, PROBLEM)

it.each(['unilevel', 'binary'])('are what the member sees of the %s one, with nobody above', async (view) => {
  const seen = (await own.get(`tree/get-binary-tree/?view=${view}`)).json()
  const answer = await read(`${ana}/tree/?view=${view}`)
  expect(answer).toAnswer(200)
  expect(answer.json()).toEqual(seen)
  expect(answer.json()[0]).toMatchObject({ id: node(ana), parentId: '', depth: 0 })
})

it('have pages of children and the way down to somebody', async () => {
  const kids = (await read(`${ana}/tree/?children_of=${node(ana)}`)).json()
  expect(kids).toMatchObject([{ id: node(luis), username: 'luis' }])
  const { nodes } = (await read(`${ana}/tree/path/?id=${node(eva)}`)).json()
  expect(nodes.map((each: { id: string }) => each.id)).toEqual([ana, luis, eva].map(node))
})

it('end at the member: who stands elsewhere is not found, nor a member that there is not', async () => {
  expect(await read(`${ana}/tree/?root=${node(aside)}`)).toRefuse(404, 'not_found')
  expect(await read(`${ana}/tree/path/?id=${node(aside)}`)).toRefuse(404, 'not_found')
  expect(await read('999999/tree/')).toRefuse(404, 'member_not_found')
})
