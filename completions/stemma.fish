function __stemma
    set -l line (commandline -opc) (commandline -ct | string trim -l -c '"\'')
    $line[1] help complete -- $line[2..-1] 2>/dev/null
end
complete -c stemma -a '(__stemma)'
