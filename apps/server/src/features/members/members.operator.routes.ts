import * as contract from '@aval/contract'
import { type ExportedList, exportRoute } from '../../http/exports.ts'
import { operator, route, routes } from '../../http/route.ts'
import { countMembers, listMembers, type MemberRow, membersWanted, selectMembers } from './list.queries.ts'
import { MEMBER_COLUMNS, presentFound, presentListed } from './members.presenter.ts'
import { search } from './search.queries.ts'

export const membersOperatorRoutes = routes({
  searchEverywhere: route({
    ...operator,
    call: 'GET /operator/search/',
    ability: 'console.use',
    replica: true,
    summary:
      'Members by username, e-mail, name, phone, ref code, number or address; withdrawals, investments and deposits by amount or number; runs by number or day',
    query: contract.searchQuery,
    response: { 200: contract.searchAnswer },
    handler: async ({ query: { q } }, { db }) => ({ results: presentFound(await search(db, q)) }),
  }),
  listMembers: route({
    ...operator,
    call: 'GET /operator/members/',
    ability: 'members.read',
    replica: true,
    summary: 'Members under a filter, a page after another',
    query: contract.membersQuery,
    response: { 200: contract.membersPage },
    refuses: ['dates_invalid'],
    handler: async ({ query }, call) => {
      const { order = '-joined', after, ...filter } = query
      const { rows, more, count } = await listMembers(call.db, filter, {
        order,
        after: after === undefined ? null : BigInt(after),
        limit: contract.MEMBERS_A_PAGE,
        timeZone: call.caller.timeZone,
      })
      const last = rows.at(-1)
      const next = more && last !== undefined ? Number(last.id) : null
      return {
        results: rows.map(presentListed),
        next,
        count: Math.min(count, contract.MOST_COUNTED),
        more: count > contract.MOST_COUNTED,
      }
    },
  }),
  exportMembers: exportRoute({
    call: 'GET /operator/members/export/',
    ability: 'members.export',
    summary: 'The members that a filter finds, as a file',
    query: contract.membersFilter,
    list: (query, call): ExportedList<MemberRow> => {
      const wanted = (db: Parameters<typeof membersWanted>[0]) =>
        membersWanted(db, query, 'joined', call.caller.timeZone)
      return {
        name: 'members',
        columns: MEMBER_COLUMNS,
        about: async (tx) => countMembers(tx, await wanted(tx)),
        read: async (tx, after, limit) => selectMembers(tx, await wanted(tx), after?.id ?? null, limit),
      }
    },
  }),
})
