import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { referralUrl } from '../../../../ui/ReferralLink.tsx'
import type { Plot } from '../plot.ts'

/** Shown where the network is empty: how to begin, or, without even the member, that there is nothing to draw. */
export function Newcomer({ plot, refCode }: { plot: Plot; refCode: string | undefined }) {
  const { t } = useTranslation(['genealogy/tree', 'ui'])
  const top = plot.member(0)
  if (top !== undefined && (top.kids.length > 0 || top.node.children_count > 0)) return null
  return (
    <div className="tree-newcomer" data-overlay>
      <p>{t('genealogy/tree:empty')}</p>
      {refCode === undefined ? null : (
        <CopyButton
          size="small"
          text={referralUrl(refCode)}
          label={t('ui:copyLink')}
          confirmation={t('ui:linkCopied')}
        />
      )}
    </div>
  )
}
