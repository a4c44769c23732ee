import type { MemberNetwork, Referral } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { MemberName } from '../../shared/MemberName.tsx'
import { useNetworkOfMemberQuery, useReferralsOfMemberQuery } from '../api.ts'
import { MemberList } from './MemberList.tsx'

const HOLD = [
  ['60%', 24],
  ['80%', 60],
] as const

/** Who stands above a member, what stands below, and whom they introduced. */
export function Network({ id, trees }: { id: string; trees: ReactNode }) {
  return (
    <>
      <Loaded query={useNetworkOfMemberQuery(id)} hold={<SkeletonCard bars={HOLD} />} card>
        {(network) => <Places network={network} />}
      </Loaded>
      {trees}
      <Referrals id={id} />
    </>
  )
}

function Places({ network }: { network: MemberNetwork }) {
  const { t } = useTranslation('console/members')
  const { upline, upline_skipped: skipped, parent, leg, points } = network
  return (
    <section className="card card-pad stack-16">
      <div className="stack-8">
        <h2>{t('network.upline')}</h2>
        {upline.length === 0 ? <p className="muted">{t('network.top')}</p> : null}
        <ol className="member-upline">
          {upline.map((member) => (
            <li key={member.id}>
              <MemberName id={member.id} username={member.username} />
            </li>
          ))}
        </ol>
        {skipped === 0 ? null : <p className="muted small">{t('network.more', { count: skipped })}</p>}
      </div>
      <dl className="figures">
        <Fact name={t('network.place')}>
          {parent === null || leg === null ? (
            '–'
          ) : (
            <>
              <MemberName id={parent.id} username={parent.username} />
              <span>{` · ${t(`network.leg.${leg}`)}`}</span>
            </>
          )}
        </Fact>
        <Fact name={t('has.referrals')}>{formats.count(network.direct)}</Fact>
        <Fact name={t('has.team')}>{formats.count(network.team)}</Fact>
        <Fact name={t('network.volume')}>{formats.money(network.team_volume)}</Fact>
        <Fact name={t('network.left')}>{formats.money(network.leg_volumes.left)}</Fact>
        <Fact name={t('network.right')}>{formats.money(network.leg_volumes.right)}</Fact>
        <Fact
          name={t('network.points')}
          note={points.as_of === null ? undefined : t('network.asOf', { day: formats.day(points.as_of) })}
        >
          {`${formats.exact(points.left)} · ${formats.exact(points.right)}`}
        </Fact>
      </dl>
    </section>
  )
}

function Referrals({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const columns: Column<Referral>[] = [
    column(t('member'), (row) => (
      <TwoLines
        first={<MemberName id={row.id} username={row.referred_username} />}
        second={<Name text={row.referred_email} />}
      />
    )),
    column(t('joined'), (row) => formats.date(row.date)),
    figureColumn(t('principal'), (row) => formats.money(row.invested)),
    figureColumn(t('network.brought'), (row) => formats.money(row.brought)),
    figureColumn(t('network.earned'), (row) => formats.money(row.earned)),
  ]
  return (
    <MemberList
      id={id}
      of={useReferralsOfMemberQuery}
      titled
      caption={t('network.referrals')}
      columns={columns}
      rowKey={(row) => row.id}
      none={t('network.none')}
    />
  )
}
