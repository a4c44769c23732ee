import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import { IconBinaryTree, IconCircleCheck, IconCoins, IconUserPlus } from '../../../ui/icons.ts'
import type { ListPlace } from '../../../ui/PagedTable.tsx'
import { type ListState, PagedTable } from '../../../ui/PagedTable.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import type { Tab } from '../tabs.ts'

interface PaymentTableProps<Row> extends ListPlace {
  tab: Tab
  list: ListState<Row>
  columns: Column<Row>[]
  detail?: (row: Row) => ReactNode
}

/** What the five lists have in common: everything but their columns and what a row opens to. */
export function PaymentTable<Row extends { id: string | number }>(props: PaymentTableProps<Row>) {
  const { tab, ...table } = props
  const { t } = useTranslation('earnings')
  const mark = { size: 26, stroke: 1.4, 'aria-hidden': true } as const
  const marks: Record<Tab, ReactNode> = {
    direct: <IconUserPlus {...mark} />,
    passive: <IconCoins {...mark} />,
    binary: <IconBinaryTree {...mark} />,
    points: <IconBinaryTree {...mark} />,
    'not-paid': <IconCircleCheck {...mark} />,
  }
  return (
    <PagedTable
      {...table}
      caption={t(`tab.${tab}`)}
      rowKey={(row) => row.id}
      empty={<EmptyState icon={marks[tab]} text={t(`empty.${tab}`)} />}
    />
  )
}
