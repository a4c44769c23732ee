import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { fetchTrail } from '../api.ts'

const FORMATS = ['csv', 'jsonl'] as const

/** The trail as it is filtered, as a file. */
export function ExportButtons({ search }: { search: string }) {
  const { t } = useTranslation('console/audit')
  const sayFailure = useFailureText()
  const [busy, setBusy] = useState<(typeof FORMATS)[number] | null>(null)
  const save = async (format: (typeof FORMATS)[number]) => {
    setBusy(format)
    const answer = await fetchTrail(format, search)
    setBusy(null)
    if ('error' in answer) toast.error(sayFailure(answer.error))
    else saveFile(answer.data, `${t('export.file')}-${new Date().toISOString().slice(0, 10)}.${format}`)
  }
  return (
    <div className="row-8">
      {FORMATS.map((format) => (
        <Button
          key={format}
          size="small"
          busy={busy === format}
          disabled={busy !== null}
          icon={<IconDownload size={17} stroke={1.6} />}
          onClick={() => void save(format)}
        >
          {t(`export.${format}`)}
        </Button>
      ))}
    </div>
  )
}
