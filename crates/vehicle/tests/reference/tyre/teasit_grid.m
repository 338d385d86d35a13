% Fx over the grid and Fy in pure slip of the Magic Formula Tyre Library (MATLAB), run under Octave.
%   octave-cli teasit_grid.m LIBRARY/src TYRE.tir OUTPUT.csv
arguments_ = argv();
addpath(arguments_{1});
p = struct();
names = regexp(fileread(fullfile(arguments_{1}, '+magicformula/+v61/Parameters.m')), '[A-Z][A-Z0-9_]+(?=\s*=\s*magicformula)', 'match');
for k = 1:numel(names), p.(names{k}) = double(names{k}(1) == 'L'); end
for line = strsplit(fileread(arguments_{2}), "\n")
    found = regexp(line{1}, '^([A-Z]\w*)\s*=\s*([-+.\deE]+)', 'tokens');
    if ~isempty(found), p.(found{1}{1}) = str2double(found{1}{2}); end
end
out = fopen(arguments_{3}, 'w');
fprintf(out, "load_n,slip_angle_deg,slip,camber_deg,fx_n,fy_pure_n\n");
for load_ = [900 2500 4000 6500]
    for angle = [-12 -3 -0.5 1.5 8]
        for slip = [-0.4 -0.05 0 0.02 0.15]
            for camber = [-4 0 3]
                a = deg2rad(angle); g = deg2rad(camber);
                fx = magicformula.v61.Fx(p, slip, a, load_, p.INFLPRES, g, 20);
                % Its Fy0 takes the angle where the book (4.E20) takes the tangent: it is given the tangent.
                fy = magicformula.v61.Fy(p, 0, tan(a), load_, p.INFLPRES, g, 20);
                fprintf(out, "%g,%g,%g,%g,%.10g,%.10g\n", load_, angle, slip, camber, fx, fy);
            end
        end
    end
end
fclose(out);
